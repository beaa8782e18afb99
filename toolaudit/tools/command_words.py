"""What the words of a shell command say about running it, beyond whether it is permitted."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from toolaudit.shell import Reading, SimpleCommand, read
from toolaudit.shell.readonly import read_only

NEUTRAL: Final = frozenset({"echo", "printf"})
"""Programs that make a command neither read-only nor a write (seeds)."""

BENIGN: Final = frozenset({"grep", "rg", "egrep", "fgrep", "find", "diff", "test", "[", "git diff", "git grep"})
"""Programs whose exit code 1 is an answer, not a failure (documents, 13)."""

MOVERS: Final = frozenset({"cd", "pushd", "popd"})
"""Builtins that change the directory, which commands side by side can't do."""

REMOVERS: Final = frozenset({"rm", "rmdir", "shred", "unlink"})
"""Programs that remove what can't be got back."""

_HARMLESS_TARGETS: Final = frozenset({"/dev/null", "1", "2"})


@lru_cache(maxsize=256)
def _read(command: str) -> Reading:
    return read(command)


def only_reads(command: str) -> bool:
    """Whether every part of a command is a search or a look at something, neutral parts left aside."""
    reading = _read(command)
    return reading.complexity is None and bool(reading.commands) and all(map(_only_reads, reading.commands))


def _only_reads(part: SimpleCommand) -> bool:
    if part.assignments or not part.argv or "background" in part.context:
        return False
    for redirect in part.redirects:
        if redirect.operator in ("<", "<<", "<<<", "<<-"):
            continue
        if redirect.target.value not in _HARMLESS_TARGETS or (
            redirect.operator != ">&" and redirect.target.value != "/dev/null"
        ):
            return False
    return part.argv[0].value in NEUTRAL or read_only(part.argv) is None


def runs_beside_others(command: str) -> bool:
    """Whether a command may run at the same time as others: it only reads, and goes nowhere."""
    return only_reads(command) and not any(part.argv[0].value in MOVERS for part in _read(command).commands)


def removes(command: str) -> bool:
    """Whether a part of a command removes files for good."""
    return any(part.argv and part.argv[0].value in REMOVERS for part in _read(command).commands)


def fails_benignly(command: str) -> bool:
    """Whether exit code 1 of a command is an answer: its last part is one of `BENIGN`."""
    parts = [part for part in _read(command).commands if part.argv]
    if not parts:
        return False
    words = [word.value or "" for word in parts[-1].argv[:2]]
    return words[0] in BENIGN or " ".join(words) in BENIGN
