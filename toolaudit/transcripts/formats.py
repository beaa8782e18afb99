"""The formats that can be read, in the order in which they are tried. A new one is a module and a row here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from toolaudit.transcripts import claude_code, claude_document
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall


class Format(Protocol):
    """What a reader's module offers."""

    NAME: str

    def detects(self, head: Sequence[bytes]) -> bool:
        """Whether a file that begins with these lines is in this format."""

    def read(self, lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
        """The calls of one file and what was wrong with it. It raises nothing that the content could cause."""


FORMATS: tuple[Format, ...] = (claude_code, claude_document)


def detect(head: Sequence[bytes]) -> Format | None:
    """The first format that a file with these first lines is in."""
    return next((each for each in FORMATS if each.detects(head)), None)
