"""Words, read byte by byte as bash reads them: the parser's own idea of a word is not used.

A word is a run of parts up to a blank or an operator. One alternative of `PART` matches each kind of part, and the
alternatives exclude each other by their first characters, so that matching is linear.
"""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import substitutions
from toolaudit.shell.expansions import (
    LONE_DOLLAR,
    PARAMETER,
    read_arithmetic,
    read_parameter,
    read_quoted,
)
from toolaudit.shell.parts import Parts
from toolaudit.shell.reading import Shape, Word
from toolaudit.shell.state import State
from toolaudit.shell.text import INVISIBLE

_PLAIN = r"[A-Za-z0-9_./:@%+,^!=\]-](?:[A-Za-z0-9_./@%+,^!\]#-]|[:=](?!~)|(?<![:=])~)*+(?=[ \t\n;&|)]|\Z)"

PLAIN = late(_PLAIN)
"""A whole word without quotes, expansions, patterns or braces."""

PLAIN_RUN = late(rf"{_PLAIN}(?: {_PLAIN})*")
"""Plain words with one blank between each two."""

QUOTED = late(r"""(?:'([^']*)'|"([^"\\$`]*)")(?=[ \t\n;&|)]|\Z)""")
"""A whole word in one pair of quotes, without anything that expands."""

SINGLE_PARAMETERS = frozenset(("$#", "$?", "$$"))
"""Parameters that are never empty and have nothing to split."""

SINGLE_QUOTE = frozenset(("single-quote",))
DOUBLE_QUOTE = frozenset(("double-quote",))

PART = late(
    rf"""(?P<literal>[A-Za-z0-9_./:@%+,^!=\]}}\#\x80-\xff-]+)
      | (?P<double>")
      | '(?P<single>[^']*)'
      | (?P<parameter>{PARAMETER})
      | (?P<expansion>\$\{{)
      | (?P<arithmetic>\$\(\()
      | (?P<command>\$\()
      | (?P<process>[<>]\()
      | (?P<backtick>`)
      | (?P<glob>[*?])
      | (?P<bracket>\[)
      | (?P<brace>\{{)
      | (?P<tilde>~)
      | \\(?P<escape>[!-~\ \t])
      | (?P<continuation>(?:\\\n)+)
      | \$'(?P<ansi>(?:[^'\\]|\\(?:[abeEfnrtv\\'"?]|x[0-9A-Fa-f]{{1,2}}|[0-7]{{1,3}}))*)'
      | (?P<dollar>{LONE_DOLLAR}(?!['"]))
    """,
    re.VERBOSE,
)

ANSI_ESCAPE = late(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
ANSI_VALUES = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))

BESIDE_BRACES = frozenset(("brace", "variable", "single-quote", "double-quote", "escape", "glob", "tilde"))
"""What a word with a brace expansion may hold besides. Bash expands braces before it looks at anything else, by rules
of its own for what is quoted; with substitutions in the word the pieces are hard to foretell."""

BLANKS = late(r"(?:[ \t]|\\\n)*")

CONTINUED_END = late(r"[ \t\n;&|)]|[<>](?!\()|\Z")
"""Where a line continuation belongs to the blanks behind a word, not to the word."""

TERMINATORS = frozenset(" \t\n;&|<>()")


def read(state: State, start: int, end: int) -> Word:
    """The word at `start`, at most to `end`. Raises Refusal where none can be read for sure."""
    if match := PLAIN.match(state.source, start, end):
        text = match[0]
        return Word(text, Shape.STATIC, text, (start, match.end()))
    if match := QUOTED.match(state.source, start, end):
        text = state.slice(*match.span())
        return Word(
            text, Shape.STATIC, text[1:-1], (start, match.end()), SINGLE_QUOTE if text[0] == "'" else DOUBLE_QUOTE
        )
    parts = Parts(start)
    position = _read_parts(state, parts, start, end)
    if "brace" in parts.features:
        _expand_braces(state, parts, start, position)
    return parts.word(state, position)


def read_value(state: State, start: int, end: int) -> Word:
    """The value of an assignment at `start`: one word whatever it expands to, and no brace expansion."""
    parts = Parts(start, assignment=True)
    position = _read_parts(state, parts, start, end)
    parts.features.discard("brace")
    return parts.word(state, position)


def read_list(state: State, start: int, end: int) -> tuple[list[Word], int]:
    """All words from `start` to the end of the line or `end`, and the offset behind the last."""
    found: list[Word] = []
    position = last = start
    while True:
        position = skip_blanks(state, position, end)
        if position >= end or state.source[position] == "\n":
            return found, last
        if state.source[position] == "#":
            raise state.refusal("word", "word", position, position + 1)
        word = read(state, position, end)
        found.append(word)
        position = last = word.span[1]


def skip_blanks(state: State, start: int, end: int) -> int:
    """The offset of the next byte that is neither blank nor part of a line continuation."""
    match = BLANKS.match(state.source, start, end)
    return match.end() if match is not None else start


def _read_parts(state: State, parts: Parts, start: int, end: int) -> int:
    position = start
    source = state.source
    while position < end:
        match = PART.match(source, position, end)
        if match is None:
            if source[position] in TERMINATORS:
                break
            raise state.refusal("word", "word", position, position + 1)
        if match.lastgroup == "continuation" and CONTINUED_END.match(source, match.end(), end):
            break
        position = _read_part(state, parts, match, end)
    if position == start:
        raise state.refusal("word", "word", start, start + 1)
    return position


def _read_part(state: State, parts: Parts, match: re.Match[str], end: int) -> int:
    kind = match.lastgroup
    start = match.start()
    if kind == "literal":
        text = _visible(state, match)
        if parts.open_bracket and "]" in text:
            parts.unknown("glob", many=True)
        parts.value.append(text)
    elif kind == "double":
        return read_quoted(state, parts, match.end(), end)
    elif kind == "single":
        parts.features.add("single-quote")
        parts.value.append(state.slice(*match.span("single")))
    elif kind == "parameter":
        parts.unknown("variable", many=match["parameter"] not in SINGLE_PARAMETERS)
    elif kind == "expansion":
        return read_parameter(state, parts, start, end, quoted=False)
    elif kind == "arithmetic":
        return read_arithmetic(state, parts, start, end)
    elif kind == "command":
        parts.unknown("command-substitution", many=True)
        return substitutions.read(state, start, end)
    elif kind == "backtick":
        parts.unknown("command-substitution", many=True)
        return substitutions.read_backticks(state, start, end)
    elif kind == "process":
        parts.unknown("process-substitution")
        return substitutions.read(state, start, end)
    elif kind == "glob":
        parts.unknown("glob", many=True)
    elif kind == "bracket":
        parts.open_bracket = True
        parts.value.append("[")
    elif kind == "brace":
        parts.features.add("brace")
        parts.value.append("{")
    elif kind == "tilde":
        if start == parts.start or state.source[start - 1] in ":=\n":  # a line feed: of a line continuation
            parts.unknown("tilde")
        else:
            parts.value.append("~")
    elif kind == "escape":
        parts.features.add("escape")
        parts.value.append(match["escape"])
    elif kind == "continuation":
        parts.features.add("continuation")
    elif kind == "ansi":
        _take_ansi(state, parts, match)
    else:
        parts.value.append("$")
    return match.end()


def _visible(state: State, match: re.Match[str]) -> str:
    if state.is_ascii:
        return match[0]
    text = state.slice(*match.span())
    if INVISIBLE.search(text):
        raise state.refusal("invisible-character", "word", *match.span())
    return text


def _take_ansi(state: State, parts: Parts, match: re.Match[str]) -> None:
    value = ANSI_ESCAPE.sub(_ansi_value, state.slice(*match.span("ansi")))
    parts.features.add("ansi-c")
    if "\0" in value:
        # Not a character (a byte that need not be one), or the end of the word.
        parts.unknown("ansi-c")
    parts.value.append(value)


def _ansi_value(escape: re.Match[str]) -> str:
    if escape[3]:
        return ANSI_VALUES[escape[3]]
    code = int(escape[1], 16) if escape[1] else int(escape[2], 8)
    return chr(code) if code < 0x80 else "\0"


def _expand_braces(state: State, parts: Parts, start: int, end: int) -> None:
    """Settle whether an unquoted `{` in the word is text or may open an expansion."""
    text = state.source[state.source.index("{", start) : end].replace("\\\n", "")
    if "," not in text and ".." not in text:
        parts.features.discard("brace")
    elif parts.features <= BESIDE_BRACES:
        parts.unknown("brace", many=True)
    else:
        raise state.refusal("brace-expansion", "brace_expression", start, end)
