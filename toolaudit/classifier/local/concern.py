from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NAMED: Final = (frozenset({"{name}"}),)
"""The user must name what it is about; the words stand for the subjects of a concern."""
HOSTED: Final = (frozenset({"{host}"}),)
"""The user must name the host."""


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
    any_verb: bool = False
    """Whatever a request that names one of the subjects asks for clears it."""
    own: bool = False
    """It is about something that the session made itself."""
    policy: bool = False
    """A list of the policy names it."""
    hard: bool = False
    """A hard rule of the policy names it, which nothing clears."""
