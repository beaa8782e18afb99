"""A best effort for texts that can't be read for sure: everything in them that looks like a command.

No tree is used, since it may be wrong or missing. The text is cut wherever bash could begin another command, and each
piece is split into words. The list may hold too much (the lines of a here-document, for one) and may miss what only
bash can see: deny rules may use it, allow rules may not.
"""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell.reading import Redirect, Shape, SimpleCommand, Word
from toolaudit.shell.variables import RESERVED_WORDS

TOKEN = late(
    r"""(?P<comment>(?<![^\s;&|()])\#[^\n]*)
      | (?P<open>\$\(|[<>]\(|\()
      | (?P<close>\))
      | (?P<tick>`)
      | (?P<redirect>[0-9]*(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>?|[<>]))
      | (?P<cut>[\n;&|])
      | (?P<blank>(?:[ \t\r\v\f]|\\\n)+)
      | (?P<single>\$?'[^']*')
      | (?P<quote>")
      | (?P<escape>\\.)
      | (?P<text>[^\s;&|()<>`'"\\$]+|\$)
      | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
QUOTED_TOKEN = late(
    r"""(?P<open>\$\()
      | (?P<tick>`)
      | (?P<quote>")
      | (?P<escape>\\[$`"\\])
      | (?P<text>[^$`"\\]+|\$)
      | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)

LEVELS_MAX = 40
"""Commands inside commands. Where there are more, the innermost around the next one ends early."""

DYNAMIC = late(r"[$*?\[{~]")
ASSIGNMENT = late(r"[A-Za-z_]\w*\+?=", re.ASCII)


def commands(text: str) -> tuple[SimpleCommand, ...]:
    """Whatever in `text` looks like a simple command, in the order of the text. Never raises, linear time."""
    survey = Survey(text.encode("utf-8", "surrogatepass").decode("latin-1"))
    survey.read()
    return tuple(sorted(survey.found, key=lambda command: command.span))


class Piece:
    """The command being put together at one level of nesting."""

    __slots__ = ("closer", "operator", "quoted", "redirects", "start", "unknown", "value", "words")

    def __init__(self, closer: str) -> None:
        self.closer = closer
        self.quoted = False
        self.clear()

    def clear(self) -> None:
        """Begin another command."""
        self.words: list[Word] = []
        self.redirects: list[Redirect] = []
        self.operator: re.Match[str] | None = None
        self.begin_word()

    def begin_word(self) -> None:
        """Begin another word."""
        self.start: int | None = None
        self.value: list[str] = []
        self.unknown = False


class Survey:
    """One text being cut up. INVARIANT: each byte is looked at once; nesting costs a list entry, no recursion, and each
    byte stands in the texts of at most `LEVELS_MAX` commands."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[SimpleCommand] = []
        self.levels = [Piece("")]

    def read(self) -> None:
        """Cut the whole text."""
        position = 0
        while position < len(self.source):
            piece = self.levels[-1]
            match = (QUOTED_TOKEN if piece.quoted else TOKEN).match(self.source, position)
            assert match is not None, "the last alternative takes any character"
            self._take(piece, match)
            position = match.end()
        while self.levels:
            self._end_command(self.levels.pop(), len(self.source))

    def _take(self, piece: Piece, match: re.Match[str]) -> None:
        kind, text, start = match.lastgroup, match[0], match.start()
        if not piece.quoted and text == piece.closer:
            self._end_command(self.levels.pop(), start)
        elif kind in ("open", "tick"):
            if text == "(":
                self._end_command(piece, start)
            else:
                piece.start = start if piece.start is None else piece.start
                piece.unknown = True
            if len(self.levels) == LEVELS_MAX:
                self._end_command(self.levels.pop(), start)
            self.levels.append(Piece("`" if kind == "tick" else ")"))
        elif kind in ("cut", "close"):
            self._end_command(piece, start)
        elif kind in ("blank", "comment", "redirect"):
            self._end_word(piece, start)
            piece.operator = match if kind == "redirect" else piece.operator
        else:
            piece.start = start if piece.start is None else piece.start
            if kind == "quote":
                piece.quoted = not piece.quoted
                return
            piece.unknown = piece.unknown or _is_dynamic(text, quoted=piece.quoted)
            piece.value.append(text[1:-1] if kind == "single" else text[1:] if kind == "escape" else text)

    def _end_word(self, piece: Piece, end: int) -> None:
        if piece.start is not None:
            value = None if piece.unknown else self._decode("".join(piece.value))
            shape = Shape.MANY if piece.unknown else Shape.STATIC
            word = Word(self._decode(self.source[piece.start : end]), shape, value, (piece.start, end))
            if piece.operator is None:
                piece.words.append(word)
            else:
                operator = piece.operator[0].lstrip("0123456789")
                descriptor = piece.operator[0].removesuffix(operator)
                span = (piece.operator.start(), end)
                piece.redirects.append(Redirect(operator, int(descriptor[:9]) if descriptor else None, word, span))
                piece.operator = None
        piece.begin_word()

    def _end_command(self, piece: Piece, end: int) -> None:
        self._end_word(piece, end)
        words = piece.words
        index = 0
        while index < len(words) and (words[index].text in RESERVED_WORDS or ASSIGNMENT.match(words[index].text)):
            index += 1
        spans = [word.span for word in words[index:]] + [redirect.span for redirect in piece.redirects]
        if spans:
            start, last = min(spans)[0], max(spans)[1]
            text = self._decode(self.source[start:last])
            self.found.append(SimpleCommand(tuple(words[index:]), (), tuple(piece.redirects), (start, last), text))
        piece.clear()

    def _decode(self, part: str) -> str:
        return part.encode("latin-1").decode("utf-8", "surrogatepass")


def _is_dynamic(text: str, *, quoted: bool) -> bool:
    if quoted:
        return text[0] == "$"
    return text[0] not in "'\\" and DYNAMIC.search(text) is not None
