"""The formats that can be read, in the order in which they are tried. A new one is a module and a row here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from toolaudit.transcripts import claude_code, claude_document
from toolaudit.transcripts.foreign import (
    atif,
    codex,
    copilot,
    gemini,
    inspect,
    kimi,
    messages,
    mini_swe_agent,
    opencode,
    openhands,
    pi,
    swe_agent,
)
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall


class Format(Protocol):
    """What a reader's module offers."""

    NAME: str

    def detects(self, head: Sequence[bytes]) -> bool:
        """Whether a file that begins with these lines is in this format."""

    def read(self, lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
        """The calls of one file and what was wrong with it. It raises nothing that the content could cause."""


FORMATS: tuple[Format, ...] = (
    codex,
    copilot,
    pi,
    kimi,
    atif,
    inspect,
    gemini,
    opencode,
    claude_code,
    swe_agent,
    openhands,
    mini_swe_agent,
    claude_document,
    messages,
)
"""Formats with words of their own come before those that are told by the shape of their records alone."""


def detect(head: Sequence[bytes]) -> Format | None:
    """The first format that a file with these first lines is in."""
    return next((each for each in FORMATS if each.detects(head)), None)


def named(name: str) -> Format:
    """The format called `name`. Raises ValueError, with the names there are, for any other."""
    for each in FORMATS:
        if each.NAME == name:  # noqa: SIM300 (no constant, whatever its case)
            return each
    raise ValueError(f"expected one of {', '.join(sorted(each.NAME for each in FORMATS))}, got {name!r}")
