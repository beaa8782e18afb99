"""A best effort for texts that can't be read for sure: everything in them that looks like a command.

No tree is used, since it may be wrong or missing. The text is cut wherever bash could begin another command, inside
double quotes too where a substitution opens, and each piece is split into words. The list may hold too much and may
miss what only bash can see: deny rules may use it, allow rules may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolaudit.shell.reading import Shape, SimpleCommand, Word
from toolaudit.shell.variables import RESERVED_WORDS

TOKEN = re.compile(
    r"""(?P<comment>(?:(?<=[\s;&|()])|\A)\#[^\n]*)
      | (?P<redirect>[0-9]*(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>?|<(?!\()|>(?!\()))
      | (?P<cut>\$\(|[<>]\(|`|[\n;&|()])
      | (?P<blank>(?:[ \t\r\v\f]|\\\n)+)
      | (?P<single>\$?'[^']*')
      | (?P<double>")
      | (?P<escape>\\.)
      | (?P<text>(?:[^\s;&|()<>`'"\\$]|\$(?![('])|[^\S\n\r\v\f \t])+)
      | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)

DYNAMIC = re.compile(r"[$*?\[{~]")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def commands(text: str) -> tuple[SimpleCommand, ...]:
    """Whatever in `text` looks like a simple command, in the order of the text. Never raises, linear time."""
    data = text.encode("utf-8", "surrogatepass")
    source = data.decode("latin-1")
    return tuple(
        SimpleCommand(tuple(words), (), (), (span := (words[0].span[0], words[-1].span[1])), _decode(source, *span))
        for words in map(_command_words, _pieces(source))
        if words
    )


def _decode(source: str, start: int, end: int) -> str:
    return source[start:end].encode("latin-1").decode("utf-8", "surrogatepass")


def _command_words(words: list[Word]) -> list[Word]:
    """Without the keywords and assignments bash would see before the command word."""
    index = 0
    while index < len(words) and (words[index].text in RESERVED_WORDS or ASSIGNMENT.match(words[index].text)):
        index += 1
    return words[index:]


def _pieces(source: str) -> Iterator[list[Word]]:
    words: list[Word] = []
    value: list[str] = []
    start = None
    known = True
    quoted = False
    skip_target = False
    for match in TOKEN.finditer(source):
        kind = match.lastgroup
        text = match[0]
        if kind == "double":
            quoted = not quoted
        ends_word = kind in ("cut", "blank", "redirect", "comment") and not (quoted and text not in ("$(", "`"))
        if not ends_word:
            start = match.start() if start is None else start
            if kind in ("single", "escape", "text", "other") or kind in ("cut", "blank", "redirect", "comment"):
                known = known and not (kind in ("text", "other") and DYNAMIC.search(text)) and text[0] != "$"
                value.append(_unquote(kind or "", text))
            continue
        if start is not None and not skip_target:
            words.append(_word(source, start, match.start(), "".join(value) if known else None))
        if start is not None or kind != "blank":
            skip_target = kind == "redirect"
        value, start, known = [], None, True
        if kind == "cut":
            if text in ("$(", "`"):
                quoted = False
            yield words
            words = []
    if start is not None and not skip_target:
        words.append(_word(source, start, len(source), "".join(value) if known else None))
    yield words


def _unquote(kind: str, text: str) -> str:
    if kind == "single":
        return text.lstrip("$")[1:-1]
    return text[1:] if kind == "escape" else text


def _word(source: str, start: int, end: int, value: str | None) -> Word:
    decoded = None if value is None else _decode(value, 0, len(value))
    shape = Shape.STATIC if decoded is not None else Shape.MANY
    return Word(_decode(source, start, end), shape, decoded, (start, end))
