"""Statements by the kind of their node: the whitelist of what is read at all.

The parser proposes where statements begin and end; `tree.children` checks that nothing hides between them, and the
text of each simple command is read anew by `simple`. A node of any other kind is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from toolaudit.shell import compounds, conditions, pipelines, simple
from toolaudit.shell.state import State, Tail

if TYPE_CHECKING:
    from tree_sitter import Node


def visit(state: State, node: Node, tail: Tail | None) -> None:
    """Read one statement, which `tail` may make reach further than its node."""
    visitor = VISITORS.get(node.type)
    if visitor is None:
        raise state.refusal("unknown-construct", node.type, *node.byte_range)
    visitor(state, node, tail)


def _read_simple(state: State, node: Node, tail: Tail | None) -> None:
    if tail is None:
        simple.read(state, node.start_byte, node.end_byte)
    else:
        simple.read(state, node.start_byte, tail.end, tail.body)


def _read_test(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("[[", node.start_byte):
        conditions.read_condition(state, node.start_byte, node.end_byte)
        compounds.read_tail(state, node.end_byte, tail)
    elif state.source.startswith("((", node.start_byte):
        conditions.read_arithmetic(state, node.start_byte, node.end_byte)
        compounds.read_tail(state, node.end_byte, tail)
    else:
        _read_simple(state, node, tail)


Visitor: TypeAlias = "Callable[[State, Node, Tail | None], None]"

VISITORS: dict[str, Visitor] = {
    "c_style_for_statement": compounds.read_arithmetic_for,
    "case_statement": compounds.read_case,
    "command": _read_simple,
    "compound_statement": compounds.read_group,
    "declaration_command": _read_simple,
    "file_redirect": _read_simple,
    "for_statement": compounds.read_for,
    "function_definition": compounds.read_function,
    "heredoc_redirect": _read_simple,
    "herestring_redirect": _read_simple,
    "if_statement": compounds.read_if,
    "list": pipelines.read,
    "negated_command": pipelines.read,
    "pipeline": pipelines.read,
    "redirected_statement": pipelines.read,
    "subshell": compounds.read_subshell,
    "test_command": _read_test,
    "unset_command": _read_simple,
    "variable_assignment": _read_simple,
    "variable_assignments": _read_simple,
    "while_statement": compounds.read_while,
}
