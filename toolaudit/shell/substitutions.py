"""Commands inside words: `$(…)`, backticks, `<(…)` and `>(…)`.

Where one starts is found by reading the word; where it ends and what is in it, by its node in the tree, whose every
byte is then checked like that of any other statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolaudit.patterns import late
from toolaudit.shell import sequences, tree
from toolaudit.shell.state import State

if TYPE_CHECKING:
    from tree_sitter import Node

BACKTICKS = late(r"`((?:[^`\\]|\\[^`$\\\"\n])*)`")
"""Without backslashes that bash would remove before it parses what is between: the offsets would shift, and a line
would go on even within single quotes."""

MAX_REPARSES = 20
"""Substitutions in here-documents that the tree lacks, each parsed again up to the end of the body."""

OPENERS = {"$(": "command_substitution", "<(": "process_substitution", ">(": "process_substitution"}
CONTEXTS = {"command_substitution": "command-substitution", "process_substitution": "process-substitution"}


def read(state: State, start: int, end: int) -> int:
    """Read the statements of the substitution that opens at `start`; the offset behind it, at most `end`."""
    opener = state.source[start : start + 2]
    kind = OPENERS[opener]
    node = _node_at(state.root, start, kind)
    if node is None:
        raise state.refusal("substitution", kind, start, start + 2)
    return _read_node(state, node, opener, end)


def read_in_body(state: State, start: int, end: int) -> int:
    """The same in the body of a here-document, where the parser drops some substitutions."""
    kind = OPENERS["$("]
    node = _node_at(state.root, start, kind)
    if node is None:
        state.reparses += 1
        if state.reparses > MAX_REPARSES:
            raise state.refusal("too-dense", kind, start, start + 2)
        node = _node_at(tree.parse_range(state.data, start, end), start, kind)
    if node is None:
        raise state.refusal("substitution", kind, start, start + 2)
    return _read_node(state, node, "$(", end)


def read_backticks(state: State, start: int, end: int) -> int:
    """Read the statements between the backtick at `start` and the next one; the offset behind that.

    Bash ends the group at the next backtick whatever quotes are open, and only then parses what is between.
    """
    match = BACKTICKS.match(state.source, start, end)
    if match is None:
        raise state.refusal("backtick", "command_substitution", start, start + 1)
    if state.root is None:
        raise state.refusal("substitution", "command_substitution", start, start + 1)
    outer = state.enter("command-substitution")
    saved = state.start, state.end, state.root, state.after_body
    state.start, state.end = match.span(1)
    if state.start != state.end:
        state.root, state.after_body = tree.parse_range(state.data, state.start, state.end), False
        sequences.read_program(state)
    state.start, state.end, state.root, state.after_body = saved
    state.leave(outer)
    return match.end()


def _node_at(root: Node | None, start: int, kind: str) -> Node | None:
    token = root.descendant_for_byte_range(start, start + 2) if root is not None else None
    node = token.parent if token is not None else None
    if node is None or node.type != kind or node.start_byte != start or node.has_error:
        return None
    return node


def _read_node(state: State, node: Node, opener: str, end: int) -> int:
    if node.end_byte > end:
        raise state.refusal("substitution", node.type, *node.byte_range)
    outer, after_body = state.enter(CONTEXTS[node.type]), state.after_body
    state.after_body = False
    sequences.read_statements(state, node, opener, ")")
    state.after_body = after_body
    state.leave(outer)
    return node.end_byte
