"""What a classifier says of one call (documents, 9.5)."""

from __future__ import annotations

from enum import StrEnum

from toolaudit.structs import Struct


class Answer(StrEnum):
    ALLOW = "allow"
    BLOCK = "block"
    UNAVAILABLE = "unavailable"
    """There is no verdict: the classifier failed, refused, or said what can't be read. It never means allow."""


class Stage(StrEnum):
    """Which stage of a classifier spoke last."""

    FIXED = "fixed"
    """None: the answer was stated beforehand."""
    FIRST = "stage 1"
    """The fast yes or no, biased to block."""
    SECOND = "stage 2"
    """The reasoning about what stage 1 flagged."""


class Usage(Struct):
    """What a verdict cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.dollars + other.dollars,
        )


NO_USAGE = Usage()


class Verdict(Struct):
    """One verdict, with everything needed to explain and to repeat it."""

    behavior: Answer
    stage: Stage
    category: str
    """The name of a row of `toolaudit.classifier.categories`; empty where nothing was flagged."""
    reason: str
    backend: str
    """What answered, such as `local` or `anthropic:MODEL`."""
    latency: float = 0.0
    """Seconds."""
    usage: Usage = NO_USAGE
    input: str = ""
    """The exact text the last stage saw."""
