"""Here-documents: their bodies are found by a line scan of our own; the tree, where there is one, must agree."""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import substitutions
from toolaudit.shell.expansions import LONE_DOLLAR, PARAMETER, read_part
from toolaudit.shell.parts import Parts
from toolaudit.shell.reading import Redirect, Shape, Span, Word
from toolaudit.shell.state import State
from toolaudit.structs import Struct

DELIMITER = late(
    r"""[ \t]*(?:'([^'\n]+)'|"([^"\\$`\n]+)"|\\([A-Za-z0-9_]+)|([A-Za-z0-9_.!@%+-]+))(?=[ \t\n<>|&;)]|\Z)"""
)
"""Quoted in one of three ways, or not. Anything between, such as `E"O"F`, is refused."""

LEADING_TABS = late(r"^\t+", re.MULTILINE)

BODY_PART = late(
    rf"""(?P<literal>[^\\$`]+)
      | (?P<parameter>{PARAMETER})
      | (?P<expansion>\$\{{)
      | (?P<arithmetic>\$\(\()
      | (?P<command>\$\()
      | (?P<dollar>{LONE_DOLLAR})
      | \\(?P<escape>[$`\\])
      | (?P<backslash>\\(?!\n))
      | (?P<backtick>`)
    """,
    re.VERBOSE,
)


class Opening(Struct):
    """The operator and delimiter of a here-document, whose body begins on the next line."""

    operator: str
    descriptor: int | None
    delimiter: str
    quoted: bool
    """Nothing in the body expands."""
    span: Span

    def redirect(self, target: Word) -> Redirect:
        """The redirection from the body."""
        return Redirect(self.operator, self.descriptor, target, self.span)


def read_opening(state: State, operator: re.Match[str], end: int) -> Opening:
    """The opening whose operator was found, at most to `end`."""
    match = DELIMITER.match(state.source, operator.end(), end)
    if match is None:
        raise state.refusal("here-document", "heredoc_start", *operator.span())
    delimiter = next(filter(None, match.groups()))
    descriptor = int(operator[1]) if operator[1] else None
    return Opening(operator[2], descriptor, delimiter, match[4] is None, (operator.start(), match.end()))


def read_body(state: State, opening: Opening, start: int) -> tuple[Word, int]:
    """The body of the here-document that starts with the line at `start`, and the offset behind its last line."""
    strip_tabs = opening.operator == "<<-"
    end, line_end = _find_end(state, start, opening.delimiter, strip_tabs=strip_tabs)
    body = _read_text(state, start, end, quoted=opening.quoted, strip_tabs=strip_tabs)
    state.after_body = True
    return body, line_end


def _find_end(state: State, start: int, delimiter: str, *, strip_tabs: bool) -> tuple[int, int]:
    """Where the body ends and where the delimiter's line does."""
    source, limit = state.source, state.end
    position = start
    while position <= limit:
        newline = source.find("\n", position, limit)
        line_end = limit if newline < 0 else newline
        line = source[position:line_end].lstrip("\t") if strip_tabs else source[position:line_end]
        if line == delimiter:
            return position, line_end
        if line.startswith(delimiter):
            _check_early_end(state, position, line_end)
        position = line_end + 1
    raise state.refusal("here-document", "heredoc_body", start, limit)


def _check_early_end(state: State, start: int, end: int) -> None:
    """In a substitution bash ends the body where a line only begins with the delimiter, if a parenthesis follows.

    It reads the rest of the line as commands.
    """
    if ")" in state.source[start:end] and state.in_substitution:
        raise state.refusal("here-document", "heredoc_end", start, end)


def _read_text(state: State, start: int, end: int, *, quoted: bool, strip_tabs: bool) -> Word:
    source = state.source
    text = state.slice(start, end)
    if quoted:
        return Word(text, Shape.STATIC, _strip(text) if strip_tabs else text, (start, end))
    if "\\\n" in source[start:end]:
        # Joined lines: the delimiter is looked for after joining, and quotes inside substitutions read differently.
        raise state.refusal("here-document", "heredoc_body", start, end)
    parts = Parts(start, assignment=True)
    position = start
    outer = state.enter("here-document")
    while position < end:
        match = BODY_PART.match(source, position, end)
        if match is None:
            raise state.refusal("here-document", "heredoc_body", position, position + 1)
        if match.lastgroup == "command":
            parts.unknown("command-substitution")
            position = substitutions.read_in_body(state, position, end)
        else:
            position = read_part(state, parts, match, end)
    state.leave(outer)
    word = parts.word(state, end)
    if strip_tabs and word.value is not None:
        return Word(word.text, word.shape, _strip(word.value), word.span, word.features)
    return word


def _strip(text: str) -> str:
    return LEADING_TABS.sub("", text)
