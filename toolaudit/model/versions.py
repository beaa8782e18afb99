"""What differs between versions of the client: one row a behaviour, with the version it came or went with.

Versions 2.1.240 and 2.1.332 were measured. A row without a document behind it is dated by these two: it came with the
first version that showed it, so a version between them is taken for the older one, whose rules catch less. A version
beyond the newest measured is taken for that one.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from toolaudit import CLIENT_VERSION
from toolaudit.patterns import late

_NUMBERS = late(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)

MEASURED = "measured in 2.1.240 and 2.1.332"


class Version(NamedTuple):
    """A version of the client; versions are ordered by their numbers."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Version:
        """The version written as `2.1.332`. Raises ValueError for anything else."""
        match = _NUMBERS.fullmatch(text)
        if match is None:
            raise ValueError(f"expected a version such as {CLIENT_VERSION}, got {text!r}")
        return cls(*map(int, match.groups()))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def has(self, difference: Difference) -> bool:
        """Whether this version behaves so."""
        return self >= difference.since and (difference.until is None or self < difference.until)


FIRST = Version(0, 0, 0)
BEYOND = Version(10**9, 0, 0)
"""After every version."""
NEWEST = Version.parse(CLIENT_VERSION)
"""The newest version whose decisions were measured: the default everywhere."""


class Difference(Enum):
    """A behaviour that some versions have: since which (included), until which (excluded), its meaning, its source."""

    since: Version
    until: Version | None
    meaning: str
    source: str

    def __init__(
        self, meaning: str, since: Version = NEWEST, until: Version | None = None, source: str = MEASURED
    ) -> None:
        self.since, self.until, self.meaning, self.source = since, until, meaning, source

    DENY_LOOKS_INSIDE = "deny and ask rules see a command wherever it stands, whatever else speaks against the text"
    DENY_SEES_BASE_NAME = "deny and ask rules compare the base name of a program that is written with its path"
    DENY_SEES_UNQUOTED = "deny and ask rules compare arguments without their quotes and without unset variables"
    DENY_SEES_PIPELINES = "a deny or ask rule with a star is compared with a whole pipeline"
    DENY_SEES_HINDERED = "a deny or ask rule with a star sees a whole text that a path or a `cd` speaks against"
    DENY_SKIPS_REDIRECTS = "deny and ask rules see a command that a redirection stands before"
    VARIABLES_ASK = "no rule for what follows allows a text that sets a variable"
    CD_GUARDS_READS = "a relative read after a directory change asks under path rules that deny reads"
    INPUT_REDIRECT_READS = (
        "the file behind `<` is checked like one that is read",
        Version(2, 1, 257),
        None,
        "documents, 2.4.2",
    )
    COPY_READS_SOURCE = "what cp and mv copy is checked like what is read"
    TEXT_FILTERS_READ = "the operands of rev, tac, fold and their like are checked like what is read"
    TIMEOUT_READS_ONLY = "timeout before a read-only command leaves it read-only"
    LISTERS_ARE_CHECKED = "the options of which and ps are looked at before they count as read-only"
    BLOCKS_PROMPT = ("after two calls in a row that the classifier blocked, a person is asked", FIRST, NEWEST)
    REMOVAL_SEEN_ANYWHERE = "critical removals are seen in subshells and beside redirections"
    REMOVAL_IN_SCRIPT = "critical removals are seen in the text given to a shell by -c"
    REMOVAL_OF_OUTPUT = "a recursive removal of a command's output is critical"
    REMOVAL_UNDER_VARIABLE = "a removal of a top-level name under a variable that may be empty is critical"
    MISREADINGS_ASK = "a text with an expansion that never ends asks as a critical removal does"
    TOKENS_ARE_GUARDED = "ln, mv and rm ask where they reach the client's sign-in tokens"
    SETTINGS_BLOCK_OUTSIDE = (
        "the settings blockReadsOutsideWorkingDirectories and blockWritesOutsideWorkingDirectories are known",
        Version(2, 1, 314),
        None,
        "documents, 4.13; measured in 2.1.240 and 2.1.332",
    )
    SETTINGS_DENY_PROMPTS = "the setting denyInsteadOfPrompting is known"
    RULES_IN_EVERY_DIRECTORY = "relative deny and ask rules for paths count in every working directory"
    EDITS_PLAIN_TOUCH = "an edit mode approves touch only where it is written plainly"
    MENDS_LESS = "a double quote that is never closed, and an operator with nothing behind it, are not mended"
    SUSPENDS_BY_MEANING = "mode auto sets rules aside by what they may start, not by how they are written"
    AGENTS_SIDE_BY_SIDE = (
        "several agents that one message starts run side by side",
        Version(2, 1, 198),
        None,
        "documents, 14, row 19",
    )
    AGENTS_SURFACE_PROMPTS = (
        "the prompts of an agent that runs on its own reach a person",
        Version(2, 1, 186),
        None,
        "documents, 9.7",
    )
    HOOKS_REPLACE_OUTPUT = (
        "a PostToolUse hook replaces the output of any tool, not of MCP tools alone",
        Version(2, 1, 240),
        None,
        "documents, 14, row 15; the first version the documents describe",
    )
    READS_FIRST_PAGE = (
        "a file of too many tokens is shown up to its first page, not refused",
        Version(2, 1, 145),
        None,
        "documents, 13",
    )
    READ_LISTS = ("Read lists a directory", FIRST, Version(2, 1, 240), "documents, 14, row 18")
    EDITS_STALE_FILES = (
        "an edit of a file that changed since it was read applies where its text still stands once",
        Version(2, 1, 208),
        None,
        "documents, 14, row 17; measured in 2.1.332",
    )
    EDIT_IGNORES_BLANKS = (
        "an edit finds its text whatever blanks end the lines",
        FIRST,
        Version(2, 1, 240),
        "documents, 14, row 16",
    )
    LONG_SLEEPS_ARE_BLOCKED = ("a command that begins with a sleep of 25 seconds or more is refused", NEWEST)
