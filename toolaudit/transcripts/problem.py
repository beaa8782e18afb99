from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Trouble(StrEnum):
    """The ways in which an input may not be what it should be."""

    # Lines that were lost, wholly or in part.
    MALFORMED = "malformed line"
    TRUNCATED = "truncated last line"
    TOO_LONG = "line too long"
    TOO_DEEP = "line nested too deeply"
    BAD_SHAPE = "record of an unexpected shape"
    COMMENT = "comment line"
    # Lines that were repaired.
    SPLICED = "several records on one line"
    NUL_BYTES = "NUL bytes removed"
    SURROGATE = "lone surrogate replaced"
    BAD_UTF8 = "invalid UTF-8 replaced"
    REPAIRED = "invalid JSON mended"
    # Lines that are whole but not understood.
    UNKNOWN_TYPE = "unknown line type"
    UNKNOWN_MODE = "unknown permission mode"
    ORPHAN_RESULT = "result without its call"
    BAD_INPUT = "tool input is not an object"
    TOO_MANY_OPEN = "call given up waiting for its result"
    # Files.
    UNREADABLE = "unreadable input"
    NO_MATCH = "no such file"
    UNRECOGNISED = "not a session in a known format"
    LEFT_OUT = "file left out by its name"


INPUT_FAILED = frozenset({Trouble.UNREADABLE, Trouble.NO_MATCH})
"""What makes a run incomplete: something the user named could not be read."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the input that was damaged, unknown or left out. It never ends the reading."""

    trouble: Trouble
    detail: str
    """What exactly: the unknown type, the parser's words. Text of the input may be in it."""
    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FileRead:
    """The end of one input."""

    file: str
    format: str
    lines: int
    calls: int
    """Calls found in it, copies of calls of other files included."""
