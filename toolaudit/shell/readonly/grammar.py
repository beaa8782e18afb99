"""What an entry of the table of read-only programs can say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property

from toolaudit.shell.reading import Word
from toolaudit.structs import Struct


class Kind(Enum):
    """The value an option takes: behind `=`, or as the next word."""

    NONE = auto()
    NUMBER = auto()
    """Decimal digits."""
    TEXT = auto()
    """Anything that does not begin with `-`."""
    SORT_KEY = auto()
    """Text; behind `=` it may begin with `-` and a letter."""
    CHARACTER = auto()
    BRACES = auto()
    """The two characters `{}`."""
    END_MARK = auto()
    """The word `EOF`."""
    FORMAT = auto()
    """A format of git's: the name of one built in, or one spelled out."""


class Anything(Struct):
    """Any arguments."""

    globs: bool = True
    """Whether unquoted glob patterns count among them."""
    refusal: Callable[[Sequence[Word]], str | None] | None = None
    """Why some arguments are refused all the same."""


class Exactly(Struct):
    """The whole command as written, blanks collapsed."""

    pattern: re.Pattern[str]


class Flags(Struct, cached=True):  # cached: `kinds` is kept on the instance
    """Options from a list, and operands.

    Letters without a value can share a word (`-rn`). A word with `$`, a back quote or a list in braces is refused,
    quoted or not.
    """

    switches: str = ""
    """Options without a value, separated by blanks; so are the following."""
    texts: str = ""
    numbers: str = ""
    sort_keys: str = ""
    characters: str = ""
    braces: str = ""
    end_marks: str = ""
    formats: str = ""
    refusal: Callable[[Sequence[str]], str | None] | None = None
    """Why some words are refused though each option is known."""
    globs: bool = False
    """Beside an unquoted glob pattern anything goes."""
    newlines: bool = True
    terminator: bool = True
    """After `--` anything goes; else the words after it are looked at like those before."""
    counts: bool = False
    """`-5` is an option."""
    attached: bool = False
    """`-A5` is `-A 5`."""
    first_operand_ends: bool = False
    """Options end at the first operand."""

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Each option's kind; made when the program is first met."""
        lists = (
            (self.switches, Kind.NONE),
            (self.texts, Kind.TEXT),
            (self.numbers, Kind.NUMBER),
            (self.sort_keys, Kind.SORT_KEY),
            (self.characters, Kind.CHARACTER),
            (self.braces, Kind.BRACES),
            (self.end_marks, Kind.END_MARK),
            (self.formats, Kind.FORMAT),
        )
        return {flag: kind for flags, kind in lists for flag in flags.split()}
