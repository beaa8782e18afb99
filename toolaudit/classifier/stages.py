"""The two stages of every classifier that thinks, and the one way in which they follow each other.

Stage 1 says yes or no to whether a call must be looked at, fast and biased to block; stage 2 reasons, and only about
what stage 1 flagged. What stage 1 lets pass is allowed. No verdict from either is no verdict at all.
"""

from __future__ import annotations

import time
from typing import Protocol

from toolaudit.classifier.question import Question
from toolaudit.model.verdict import NO_USAGE, Answer, Stage, Usage, Verdict
from toolaudit.structs import Struct


class Classifier(Protocol):
    """Anything that answers questions. It raises nothing: what goes wrong is an `unavailable` verdict."""

    @property
    def name(self) -> str:
        """What `--classifier` calls it."""

    def classify(self, question: Question) -> Verdict:
        """The verdict on the question's call."""


class Opinion(Struct):
    """What one stage says."""

    behavior: Answer
    category: str = ""
    reason: str = ""
    usage: Usage = NO_USAGE
    input: str = ""
    """The exact text it saw."""


class Thinking(Protocol):
    """What a backend brings: its two stages."""

    @property
    def name(self) -> str: ...

    def first(self, question: Question) -> Opinion:
        """Fast; BLOCK flags the call for stage 2."""

    def second(self, question: Question, flagged: Opinion) -> Opinion:
        """The reasoned verdict on what stage 1 flagged."""


class TwoStages(Struct):
    """A classifier out of a backend's two stages."""

    backend: Thinking

    @property
    def name(self) -> str:
        return self.backend.name

    def classify(self, question: Question) -> Verdict:
        started = time.perf_counter()
        opinion, stage = self.backend.first(question), Stage.FIRST
        usage = opinion.usage
        if opinion.behavior is Answer.BLOCK:
            opinion, stage = self.backend.second(question, opinion), Stage.SECOND
            usage += opinion.usage
        return Verdict(
            opinion.behavior,
            stage,
            opinion.category,
            opinion.reason,
            self.name,
            time.perf_counter() - started,
            usage,
            opinion.input,
        )
