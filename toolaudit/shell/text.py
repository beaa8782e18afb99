"""What is turned away before any parsing: texts too long or too dense, and characters that shells disagree about."""

from __future__ import annotations

from toolaudit.patterns import late
from toolaudit.shell.reading import Complexity

MAX_BYTES = 20_000
"""Longer texts are not parsed. The parser's error recovery is quadratic in the worst case."""

MAX_OPERATORS = 2_500
"""More operator characters than this are not parsed: each may cost a level of the parser's stack."""

CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Controls but tab and line feed, and lone surrogates. CR, VT and FF are blanks to the parser and word characters to
bash; bash uses \\x01 and \\x7f inside words for its own bookkeeping."""

INVISIBLE = late(
    "[\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
)
"""Blanks and characters without a glyph: word characters to bash, but no reader can see them outside quotes."""

TOO_LONG = Complexity("too-long", "program", (0, 0))
TOO_DENSE = Complexity("too-dense", "program", (0, 0))

OPERATOR = late(r"[|&;()<>\[\]`$={]")


def refuse(text: str) -> Complexity | None:
    """The reason not to parse `text`, or None."""
    if len(text) <= MAX_OPERATORS and text.isascii() and text.isprintable():
        return None
    if len(text) > MAX_BYTES:
        return TOO_LONG
    if found := CONTROL.search(text):
        start = len(text[: found.start()].encode("utf-8", "surrogatepass"))
        return Complexity("control-character", "character", (start, start + 1))
    if not text.isascii() and len(text.encode()) > MAX_BYTES:
        return TOO_LONG
    if len(text) > MAX_OPERATORS and len(OPERATOR.findall(text)) > MAX_OPERATORS:
        return TOO_DENSE
    return None
