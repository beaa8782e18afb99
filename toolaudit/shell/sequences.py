"""Statements one after the other: what stands between them, and the keywords of compound commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolaudit.shell.state import State
from toolaudit.shell.tree import check_gap, children

if TYPE_CHECKING:
    from tree_sitter import Node

TERMINATORS = {";": (";", "&"), "&": ("&", ">")}
"""What ends a statement, and what may not follow at once: bash would read a longer operator."""

KEYWORDS = frozenset("{ } if then elif else fi while until do done".split())
CLAUSES = frozenset(("elif_clause", "else_clause", "do_group"))


def read_program(state: State) -> None:
    """Read all statements of the state's root node, which must account for every byte from `start` to `end`."""
    root = state.root
    assert root is not None, "a program is read by its tree"
    if root.has_error or root.type != "program":
        raise state.refusal("parse-error", "ERROR", *_error_span(root))
    check_gap(state, state.start, root.start_byte, newlines=True)
    read_sequence(state, children(state, root, newlines=True))
    check_gap(state, root.end_byte, state.end, newlines=True)


def read_statements(state: State, node: Node, opener: str, closer: str) -> None:
    """Read all statements between the two tokens that enclose them."""
    kids = children(state, node, newlines=True)
    if [kid.type for kid in (*kids[:1], *kids[-1:])] != [opener, closer]:
        raise state.refusal("token", node.type, *node.byte_range)
    read_sequence(state, kids[1:-1])


def read_sequence(state: State, nodes: list[Node]) -> int | None:
    """Read statements, their terminators, and the keywords between them.

    Returns the end of the last statement if nothing terminates it, else None.
    """
    open_end: int | None = None
    for index, node in enumerate(nodes):
        kind = node.type
        if kind in TERMINATORS:
            _check_terminator(state, node, open_end)
            open_end = None
            continue
        if open_end is not None:
            _check_separated(state, open_end, node)
        if kind in KEYWORDS:
            if index + 1 < len(nodes):
                _check_keyword(state, node)
            open_end = None
        elif kind in CLAUSES:
            open_end = read_sequence(state, children(state, node, newlines=True))
        else:
            if state.after_body:
                _check_after_body(state, node)
            background = index + 1 < len(nodes) and nodes[index + 1].type == "&"
            outer = state.enter(*("background",) * background)
            state.visit(state, node, None)
            state.leave(outer)
            open_end = node.end_byte
    return open_end


def _check_separated(state: State, open_end: int, node: Node) -> None:
    """Between two statements without a terminator there is a newline: the parser has some without."""
    if not newline_between(state, open_end, node.start_byte):
        raise state.refusal("separator", node.type, *node.byte_range)


def _check_terminator(state: State, node: Node, open_end: int | None) -> None:
    """A terminator follows a statement, and is not the beginning of a longer operator."""
    if open_end is None or state.source.startswith(TERMINATORS[node.type], node.end_byte):
        raise state.refusal("separator", node.type, *node.byte_range)


def _check_keyword(state: State, node: Node) -> None:
    """A keyword is a word of its own."""
    if not state.source.startswith((" ", "\t", "\n"), node.end_byte):
        raise state.refusal("keyword", node.type, *node.byte_range)


def _check_after_body(state: State, node: Node) -> None:
    """In a substitution no statement may follow a here-document.

    Bash 5.2 prints what it parsed there and reads that again; it forgets a semicolon after the body, so that of
    `cat <<E…; id; ls` becomes `id ls`.
    """
    if state.in_substitution:
        raise state.refusal("here-document", node.type, *node.byte_range)


def newline_between(state: State, start: int, end: int) -> bool:
    """Whether a newline that bash sees stands between two offsets: one behind a backslash is none."""
    return "\n" in state.source[start:end].replace("\\\n", "")


def _error_span(root: Node) -> tuple[int, int]:
    node = root
    while child := next((child for child in node.children if child.has_error or child.is_missing), None):
        node = child
    return node.byte_range
