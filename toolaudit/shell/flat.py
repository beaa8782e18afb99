"""The fast path: texts without compound commands, substitutions and here-documents, read without a tree.

Where these are absent the grammar is words and operators, and the reader of words needs no help. On anything else it
refuses, and the text is read again by its tree. INVARIANT: a text that both can read has the same reading.
"""

from __future__ import annotations

import re

from toolaudit.shell.simple import Line
from toolaudit.shell.state import State

COMPOUND = re.compile(r"[ \t\n]*(?:[({!]|\[\[|(?:if|for|while|until|case|select|function)[ \t\n])")

OPERATOR = re.compile(
    r"""(?P<line>(?:\#[^\n]*)?(?:\n|\Z))
      | (?P<join>&&|\|\||\|&|\|)
      | (?P<end>[;&])(?![;&|])""",
    re.VERBOSE,
)


def read(state: State) -> None:
    """Read a flat text and list its commands. Raises Refusal where it is not flat; the state is spoilt then."""
    position, end = 0, state.end
    pipelines: list[list[Line]] = [[]]
    is_open = False
    while position < end or is_open:
        line = Line(state, position, end)
        line.read()
        operator = OPERATOR.match(state.source, line.position, end)
        if operator is None or (line.empty and (operator.lastgroup != "line" or (line.position == end and is_open))):
            raise state.refusal("operator", "program", line.position, line.position + 1)
        position = operator.end()
        if not line.empty:
            pipelines[-1].append(line)
            is_open = False
        if operator.lastgroup == "join":
            is_open = True
            if operator[0][0] == operator[0][-1] and len(operator[0]) == 2:
                pipelines.append([])
        elif not is_open:
            _emit(state, pipelines, background=operator[0] == "&")
            pipelines = [[]]


def is_likely(text: str) -> bool:
    """Whether reading `text` without a tree is worth the attempt: Line refuses all that is looked for here."""
    return not (
        "$(" in text
        or "`" in text
        or "<<" in text
        or "done" in text
        or "then" in text
        or COMPOUND.match(text) is not None
    )


def _emit(state: State, pipelines: list[list[Line]], *, background: bool) -> None:
    """List the commands of one statement, in the contexts its operators make."""
    if len(pipelines) == 1 and len(pipelines[0]) == 1 and not background:
        pipelines[0][0].emit()
        return
    contexts = ("background",) * background + ("list",) * (len(pipelines) > 1)
    for pipeline in pipelines:
        outer = state.enter(*contexts, *("pipeline",) * (len(pipeline) > 1))
        for line in pipeline:
            line.emit()
        state.leave(outer)
