"""The formats that can be read, in the order in which they are tried. A new one is a module and a row here,
or an entry point of another package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Final, Protocol

from toolaudit.transcripts import claude_code, claude_document
from toolaudit.transcripts.foreign import (
    antigravity,
    atif,
    claude_replay,
    codex,
    copilot,
    droid,
    gemini,
    inspect,
    kimi,
    messages,
    mini_swe_agent,
    opencode,
    openhands,
    pi,
    qwen,
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
    qwen,
    droid,
    antigravity,
    claude_replay,
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


GROUP: Final = "toolaudit.readers"
"""The entry point group under which installed packages offer further readers."""


@lru_cache(maxsize=1)
def installed() -> tuple[Format, ...]:
    """The readers of other packages, by the names of their entry points."""
    return tuple(entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def detect(head: Sequence[bytes]) -> Format | None:
    """The first format that a file with these first lines is in; other packages' readers are asked before ours."""
    return next((each for each in (*installed(), *FORMATS) if each.detects(head)), None)


def named(name: str) -> Format:
    """The format called `name`. Raises ValueError, with the names there are, for any other."""
    known = {each.NAME: each for each in (*FORMATS, *installed())}
    if name not in known:
        raise ValueError(f"expected one of {', '.join(sorted(known))}, got {name!r}")
    return known[name]
