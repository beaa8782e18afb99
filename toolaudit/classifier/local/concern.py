from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Concern:
    """One fact that speaks against a call."""

    category: str
    why: str
    asked: tuple[frozenset[str], ...] | None = None
    """What one message of the user must hold to clear it: a word of each set. None: no word of the user does."""
    subjects: frozenset[str] = frozenset()
    """What it is about: branches, files, hosts, packages. Where there are some, the user must name one too."""
    text: str = ""
    """The command it is about, for entries of the policy that name commands."""
    weak: bool = False
    """Nothing is known against it but that it is not known."""
    own: bool = False
    """It is about something that the session made itself."""
    policy: bool = False
    """A list of the policy names it."""
    hard: bool = False
    """A hard rule of the policy names it, which nothing clears."""
