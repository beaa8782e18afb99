"""Here-documents: the body is found by a line scan of our own, and the tree must agree about its end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from toolaudit.shell import substitutions
from toolaudit.shell.expansions import LONE_DOLLAR, PARAMETER, read_part
from toolaudit.shell.parts import Parts
from toolaudit.shell.reading import Redirect, Shape, Word
from toolaudit.shell.state import State

DELIMITER = re.compile(
    r"""[ \t]*(?:'([^'\n]+)'|"([^"\\$`\n]+)"|\\([A-Za-z0-9_]+)|([A-Za-z0-9_.!@%+-]+))(?=[ \t\n<>|&;)])"""
)
"""Quoted in one of three ways, or not. Anything between, such as `E"O"F`, is refused."""

LEADING_TABS = re.compile(r"^\t+", re.MULTILINE)

BODY_PART = re.compile(
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


@dataclass(slots=True)
class HereDocument:
    """A here-document whose operator stands at `start`, with its body already found."""

    start: int
    operator_end: int
    target: Word
    used: bool = False

    def redirect(self, state: State, operator: re.Match[str]) -> Redirect:
        """The redirection, when the reader of words comes upon its operator."""
        if operator.start(2) != self.start or self.used:
            raise state.refusal("here-document", "heredoc_redirect", *operator.span())
        self.used = True
        descriptor = int(operator[1]) if operator[1] else None
        return Redirect(operator[2], descriptor, self.target, (operator.start(), self.operator_end))


def read(state: State, node: Node, operator: Node, line_end: int) -> HereDocument:
    """The here-document of a `heredoc_redirect` node whose line, read by the caller, ends at `line_end`."""
    source = state.source
    start = operator.start_byte
    delimiter = DELIMITER.match(source, operator.end_byte, line_end + 1)
    if delimiter is None or source[line_end : line_end + 1] != "\n":
        raise state.refusal("here-document", "heredoc_start", start, line_end)
    word = next(filter(None, delimiter.groups()))
    strip_tabs = operator.type == "<<-"
    body, end = _find_end(state, line_end + 1, word, strip_tabs=strip_tabs)
    if node.end_byte != end or node.children[-1].type != "heredoc_end":
        raise state.refusal("here-document", "heredoc_end", node.end_byte, end)
    quoted = delimiter[4] is None
    target = _read_body(state, line_end + 1, body, quoted=quoted, strip_tabs=strip_tabs)
    return HereDocument(start, delimiter.end(), target)


def _find_end(state: State, start: int, delimiter: str, *, strip_tabs: bool) -> tuple[int, int]:
    """Where the body ends and where the delimiter's line does."""
    source, limit = state.source, state.end
    position = start
    while position <= limit:
        newline = source.find("\n", position, limit)
        line_end = limit if newline < 0 else newline
        line = source[position:line_end]
        if (line.lstrip("\t") if strip_tabs else line) == delimiter:
            return position, line_end
        position = line_end + 1
    raise state.refusal("here-document", "heredoc_body", start, limit)


def _read_body(state: State, start: int, end: int, *, quoted: bool, strip_tabs: bool) -> Word:
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
