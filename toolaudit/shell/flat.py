"""The fast path: texts without compound commands and command substitutions, read without a tree.

Where these are absent the grammar is words and operators, and the reader of words needs no help. On anything else it
refuses, and the text is read again by its tree. INVARIANT: a text that both can read has the same reading.
"""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import heredocs
from toolaudit.shell.simple import Line
from toolaudit.shell.state import State

COMPOUND = late(r"[ \t\n]*(?:[({!]|\[\[|(?:if|for|while|until|case|select|function)[ \t\n])")

OPERATOR = late(
    r"""(?P<line>(?:\#[^\n]*)?(?:\n|\Z))
      | (?P<join>&&|\|\||\|&|\|)(?!\\\n)
      | (?P<end>[;&])(?![;&|]|\\\n)""",
    re.VERBOSE,
)
"""Not right before a line continuation: bash drops that before it looks for a longer operator."""


def read(state: State) -> None:
    """Read a flat text and list its commands. Raises Refusal where it is not flat; the state is spoilt then."""
    position, end = 0, state.end
    statement = Statement()
    finished: list[Statement] = []
    opened: list[Line] = []
    while position < end or statement.is_open:
        line = Line(state, position, end)
        line.read()
        operator = OPERATOR.match(state.source, line.position, end)
        ends_line = operator is not None and operator.lastgroup == "line"
        if operator is None or (line.empty and (not ends_line or (line.position == end and statement.is_open))):
            raise state.refusal("operator", "program", line.position, line.position + 1)
        position = operator.end()
        if line.openings:
            opened.append(line)
        statement.take(line, operator)
        if not statement.is_open:
            finished.append(statement)
            statement = Statement()
        if ends_line:
            position = _read_bodies(state, opened, position)
            opened = []
            for one in finished:
                one.emit(state)
            finished = []
    if opened:
        raise state.refusal("here-document", "heredoc_body", end, end)
    for one in finished:
        one.emit(state)


def is_likely(text: str) -> bool:
    """Whether reading `text` without a tree is worth the attempt: Line refuses all that is looked for here."""
    if "<<" in text:
        return True
    return not ("$(" in text or "`" in text or "done" in text or "then" in text or COMPOUND.match(text) is not None)


def _read_bodies(state: State, lines: list[Line], start: int) -> int:
    """Read the bodies of the here-documents opened on a line, in their order; the offset behind the last."""
    position = start
    for line in lines:
        bodies = []
        for opening in line.openings:
            body, position = heredocs.read_body(state, opening, position)
            position += 1
            bodies.append(body)
        line.fill(bodies)
    return position


class Statement:
    """Pipelines joined by `&&` and `||`, up to what ends them."""

    __slots__ = ("background", "is_open", "pipelines")

    def __init__(self) -> None:
        self.pipelines: list[list[Line]] = [[]]
        self.is_open = False
        """The last operator still waits for its right side, perhaps on the next line."""
        self.background = False

    def take(self, line: Line, operator: re.Match[str]) -> None:
        """Add a simple command, which may be empty, and what follows it."""
        if not line.empty:
            self.pipelines[-1].append(line)
            self.is_open = False
        if operator.lastgroup == "join":
            self.is_open = True
            if operator[0] in ("&&", "||"):
                self.pipelines.append([])
        self.background = operator[0] == "&"

    def emit(self, state: State) -> None:
        """List the commands, in the contexts the operators make."""
        if len(self.pipelines) == 1 and not self.background and len(self.pipelines[0]) < 2:
            for line in self.pipelines[0]:
                line.emit()
            return
        contexts = ("background",) * self.background + ("list",) * (len(self.pipelines) > 1)
        for pipeline in self.pipelines:
            outer = state.enter(*contexts, *("pipeline",) * (len(pipeline) > 1))
            for line in pipeline:
                line.emit()
            state.leave(outer)
