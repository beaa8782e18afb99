"""Pipelines and lists, with the redirections and here-documents of their commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolaudit.shell import heredocs, redirects
from toolaudit.shell.sequences import newline_between
from toolaudit.shell.state import State, Tail
from toolaudit.shell.tree import children

if TYPE_CHECKING:
    from tree_sitter import Node

CONNECTIVES = frozenset(("&&", "||", "|", "|&"))

Item: TypeAlias = "str | tuple[Node, Tail | None]"
"""An operator, or a statement and how far it reaches beyond its node."""


def read(state: State, node: Node, tail: Tail | None) -> None:
    """Read a `list`, `pipeline`, `negated_command` or `redirected_statement`, however they are nested.

    The parser groups them in its own way (`a | b >f` is one redirection of a pipeline to it), so they are flattened
    first, and the contexts follow from the operators.
    """
    items = _flatten(state, node, tail)
    is_list = any(item in ("&&", "||") for item in items)
    pipeline: list[tuple[Node, Tail | None]] = []
    negated = False
    for item in [*items, "&&"]:
        if item == "!":
            negated = True
        elif item in ("&&", "||"):
            contexts = ("list",) * is_list + ("negation",) * negated + ("pipeline",) * (len(pipeline) > 1)
            outer = state.enter(*contexts)
            for statement, statement_tail in pipeline:
                state.visit(state, statement, statement_tail)
            state.leave(outer)
            pipeline, negated = [], False
        elif not isinstance(item, str):
            pipeline.append(item)


def _flatten(state: State, node: Node, tail: Tail | None) -> list[Item]:
    """Operators and statements in the order of the text."""
    items: list[Item] = []
    stack: list[tuple[Node, Tail | None]] = [(node, tail)]
    position = node.start_byte
    while stack:
        node, tail = stack.pop()
        kind = node.type
        if kind in CONNECTIVES or kind == "!":
            start, end = node.byte_range
            if kind != "!" and newline_between(state, position, start):
                raise state.refusal("separator", kind, start, end)
            if state.source.startswith((" ", "\t", "\n") if kind == "!" else ("&", "|"), end) is not (kind == "!"):
                raise state.refusal("token", kind, start, end)
            items.append(kind)
        elif kind in ("list", "pipeline", "negated_command"):
            kids = children(state, node, newlines=True)
            stack.extend(reversed([(kid, None) for kid in kids[:-1]] + [(kids[-1], tail)]))
        elif kind == "redirected_statement":
            stack.extend(reversed(_redirected(state, node, tail)))
        else:
            items.append((node, tail))
        position = node.end_byte
    return items


def _redirected(state: State, node: Node, tail: Tail | None) -> list[tuple[Node, Tail | None]]:
    """The body of a `redirected_statement`, reaching over its redirections, and what follows a here-document's word."""
    kids = node.children
    heredoc = kids[-1]
    if heredoc.type != "heredoc_redirect":
        return [(kids[0], tail or Tail(node.end_byte))]
    if tail is not None:
        raise state.refusal("here-document", "heredoc_redirect", *heredoc.byte_range)
    inner = children(state, heredoc, newlines=True)
    on_line = [kid for kid in inner if kid.type not in ("heredoc_body", "heredoc_end")]
    rest = on_line[_rest_index(on_line) :]
    line_end = state.source.find("\n", on_line[-1].end_byte)
    operator = redirects.OPERATOR.match(state.source, heredoc.start_byte)
    if operator is None or line_end < 0 or "\n" in state.source[heredoc.start_byte : line_end]:
        raise state.refusal("here-document", "heredoc_redirect", *heredoc.byte_range)
    body, end = heredocs.read_body(state, heredocs.read_opening(state, operator, line_end), line_end + 1)
    if heredoc.end_byte != end or inner[-1].type != "heredoc_end":
        raise state.refusal("here-document", "heredoc_end", heredoc.end_byte, end)
    return [(kids[0], Tail(rest[0].start_byte if rest else line_end, body)), *((kid, None) for kid in rest)]


def _rest_index(nodes: list[Node]) -> int:
    """Where another command begins on the line of a here-document."""
    return next((i for i, node in enumerate(nodes) if node.type == "pipeline" or node.type in CONNECTIVES), len(nodes))
