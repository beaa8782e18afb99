"""Text from settings and transcripts, made safe to show: the one place where hostile text meets a terminal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from toolaudit.patterns import late

if TYPE_CHECKING:
    import re

_INVISIBLE = (
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls: ESC, BEL, CR, CSI
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f"  # format signs of scripts
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # characters without a look of their own
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, separators, bidi marks, overrides and isolates
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"  # fillers, variation selectors, BOM, non-characters
    "\ud800-\udfff"  # lone surrogates, which no encoder takes
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # format controls, tags
)

_HIDDEN = late(f"[{_INVISIBLE}]")

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

_CODES = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36", "dim": "2"}


def plain(text: str) -> str:
    r"""`text` on one line, with every character that moves, hides or reorders what is seen shown as an escape.

    ESC becomes `\x1b`, a right-to-left override `\u202e`, a newline `\n`. What the eye can see stays as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def colour_wanted(stream: TextIO) -> bool:
    """Whether `stream` gets colour: FORCE_COLOR says yes, NO_COLOR or TERM=dumb no, and else a terminal says yes."""
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class Paint:
    """Colours text for a stream, or leaves it alone where the stream gets no colour. It makes nothing safe."""

    __slots__ = ("_on",)

    def __init__(self, stream: TextIO) -> None:
        self._on = colour_wanted(stream)

    def __call__(self, text: str, colour: str | None = None, *, bold: bool = False) -> str:
        codes = ";".join([*(["1"] if bold else []), *([_CODES[colour]] if colour is not None else [])])
        return f"\x1b[{codes}m{text}\x1b[0m" if self._on and codes else text
