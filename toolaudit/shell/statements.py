"""Statements: one function for each kind of node in the tree, and a refusal for every other kind.

The parser proposes where statements begin and end; `tree.children` checks that nothing hides between them, and the
text of each simple command is read anew by `simple`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from toolaudit.shell import assignments, conditions, expansions, heredocs, redirects, simple, words
from toolaudit.shell.reading import Assignment, Word
from toolaudit.shell.state import State
from toolaudit.shell.tree import check_gap, children
from toolaudit.shell.variables import RESERVED_WORDS, is_sensitive

TERMINATORS = {";": (";", "&"), "&": ("&", ">"), "\n": ()}
"""What ends a statement, and what may not follow at once: bash would read a longer operator."""

CONNECTIVES = frozenset(("&&", "||", "|", "|&"))

KEYWORDS = frozenset("{ } if then elif else fi while until do done".split())
CLAUSES = frozenset(("elif_clause", "else_clause", "do_group"))
CASE_ENDS = frozenset((";;", ";&", ";;&"))

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FUNCTION_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_:.-]*")


@dataclass(frozen=True, slots=True)
class Tail:
    """How far a statement reaches beyond its node: the redirections that follow it, up to `end`."""

    end: int
    body: Word | None = None
    """The body of the here-document among them."""


def read_program(state: State) -> None:
    """Read all statements of the state's root node, which must account for every byte from `start` to `end`."""
    root = state.root
    assert root is not None, "a program is read by its tree"
    if root.has_error or root.type != "program":
        raise state.refusal("parse-error", "ERROR", *_error_span(root))
    check_gap(state, state.start, root.start_byte, newlines=True)
    _read_sequence(state, children(state, root, newlines=True))
    check_gap(state, root.end_byte, state.end, newlines=True)


def read_statements(state: State, node: Node, opener: str, closer: str) -> None:
    """Read all statements between the two tokens that enclose them."""
    kids = children(state, node, newlines=True)
    if len(kids) < 3 or kids[0].type != opener or kids[-1].type != closer:
        raise state.refusal("token", node.type, *node.byte_range)
    _read_sequence(state, kids[1:-1])


def visit(state: State, node: Node, tail: Tail | None) -> None:
    """Read one statement by its kind."""
    visitor = VISITORS.get(node.type)
    if visitor is None:
        raise state.refusal("unknown-construct", node.type, *node.byte_range)
    visitor(state, node, tail)


def _error_span(root: Node) -> tuple[int, int]:
    node = root
    while child := next((child for child in node.children if child.has_error or child.is_missing), None):
        node = child
    return node.byte_range


# -- sequences ---------------------------------------------------------------------------------------------------------


def _read_sequence(state: State, nodes: list[Node]) -> int | None:
    """Read statements, their terminators, and the keywords between them.

    Returns the end of the last statement if nothing terminates it, else None.
    """
    source = state.source
    open_end: int | None = None
    for index, node in enumerate(nodes):
        kind = node.type
        start, end = node.byte_range
        if kind in TERMINATORS:
            if kind != "\n" and (open_end is None or source.startswith(TERMINATORS[kind], end)):
                raise state.refusal("separator", kind, start, end)
            open_end = None
            continue
        if open_end is not None and not _newline_between(state, open_end, start):
            raise state.refusal("separator", kind, start, end)
        if kind in KEYWORDS:
            if index + 1 < len(nodes) and source[end : end + 1] not in (" ", "\t", "\n"):
                raise state.refusal("keyword", kind, start, end)
            open_end = None
        elif kind in CLAUSES:
            open_end = _read_sequence(state, children(state, node, newlines=True))
        else:
            if state.after_body:
                _check_after_body(state, node)
            background = index + 1 < len(nodes) and nodes[index + 1].type == "&"
            outer = state.enter(*("background",) * background)
            visit(state, node, None)
            state.leave(outer)
            open_end = end
    return open_end


def _check_after_body(state: State, node: Node) -> None:
    """In a substitution no statement may follow a here-document.

    Bash 5.2 prints what it parsed there and reads that again; it forgets a semicolon after the body, so that of
    `cat <<E…; id; ls` becomes `id ls`.
    """
    if state.in_substitution:
        raise state.refusal("here-document", node.type, *node.byte_range)


def _newline_between(state: State, start: int, end: int) -> bool:
    return "\n" in state.source[start:end].replace("\\\n", "")


# -- pipelines and lists -----------------------------------------------------------------------------------------------


def _pipelines(state: State, node: Node, tail: Tail | None) -> None:
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
                visit(state, statement, statement_tail)
            state.leave(outer)
            pipeline, negated = [], False
        elif not isinstance(item, str):
            pipeline.append(item)


def _flatten(state: State, node: Node, tail: Tail | None) -> list[str | tuple[Node, Tail | None]]:
    """Operators and statements in the order of the text."""
    items: list[str | tuple[Node, Tail | None]] = []
    stack: list[tuple[Node, Tail | None]] = [(node, tail)]
    position = node.start_byte
    while stack:
        node, tail = stack.pop()
        kind = node.type
        if kind in CONNECTIVES or kind == "!":
            start, end = node.byte_range
            if kind != "!" and _newline_between(state, position, start):
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


# -- simple commands and conditions ------------------------------------------------------------------------------------


def _simple(state: State, node: Node, tail: Tail | None) -> None:
    if tail is None:
        simple.read(state, node.start_byte, node.end_byte)
    else:
        simple.read(state, node.start_byte, tail.end, tail.body)


def _test(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("[[", node.start_byte):
        conditions.read_condition(state, node.start_byte, node.end_byte)
        _read_tail(state, node.end_byte, tail)
    elif state.source.startswith("((", node.start_byte):
        conditions.read_arithmetic(state, node.start_byte, node.end_byte)
        _read_tail(state, node.end_byte, tail)
    else:
        _simple(state, node, tail)


def _read_tail(state: State, start: int, tail: Tail | None) -> None:
    if tail is not None:
        simple.read_redirects(state, start, tail.end, tail.body)


# -- compound commands -------------------------------------------------------------------------------------------------


def _subshell(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("((", node.start_byte):
        raise state.refusal("parenthesis", "subshell", *node.byte_range)
    outer = state.enter("subshell")
    read_statements(state, node, "(", ")")
    _read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _group(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("((", node.start_byte):
        _test(state, node, tail)
        return
    _keywords(state, node, tail, "group")


def _if(state: State, node: Node, tail: Tail | None) -> None:
    _keywords(state, node, tail, "if")


def _while(state: State, node: Node, tail: Tail | None) -> None:
    _keywords(state, node, tail, "while")


def _keywords(state: State, node: Node, tail: Tail | None, context: str) -> None:
    outer = state.enter(context)
    _read_sequence(state, children(state, node, newlines=True))
    _read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _for(state: State, node: Node, tail: Tail | None) -> None:
    """`for NAME in WORDS; do …`, and `select`: the header is listed as the assignments it makes."""
    kids = children(state, node, newlines=True)
    body = kids[-1]
    start, name_end = kids[1].byte_range
    name = state.source[start:name_end]
    if kids[0].type not in ("for", "select") or not NAME.fullmatch(name) or body.type != "do_group":
        raise state.refusal("for", "for_statement", *node.byte_range)
    lists = kids[2].type == "in"
    header_end = kids[2].end_byte if lists else name_end
    if state.source[header_end] not in " \t\n;" or "\n" in state.source[node.start_byte : header_end]:
        raise state.refusal("for", "for_statement", *node.byte_range)
    separator = kids[-2] if kids[-2].type in (";", "\n") else body
    values, position = words.read_list(state, header_end, separator.start_byte)
    terminated = separator is not body or _newline_between(state, position, body.start_byte)
    if (lists and not terminated) or (values and not lists):
        raise state.refusal("separator", "for_statement", *node.byte_range)
    check_gap(state, position, separator.start_byte, newlines=True)
    outer = state.enter("for")
    for value in values:
        assignments.set_variable(state, name, value)
    if not lists:
        state.unknown_values.add(name)
    if is_sensitive(name):
        state.evaluates("sensitive-variable", "for_statement", (start, name_end))
    header = tuple(Assignment(name, "=", value, value.span) for value in values)
    state.add((), header, (), node.start_byte, max(position, header_end))
    _read_sequence(state, [body])
    _read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _arithmetic_for(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    body = kids[-1]
    if kids[0].type != "for" or kids[1].type != "((" or body.type != "do_group":
        raise state.refusal("for", "c_style_for_statement", *node.byte_range)
    position = expansions.read_expression(state, kids[1].end_byte, body.start_byte, clauses=3)
    if state.source[position : body.start_byte].strip(" \t\n") not in ("", ";"):
        raise state.refusal("for", "c_style_for_statement", *node.byte_range)
    outer = state.enter("for")
    _read_sequence(state, [body])
    _read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _case(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    if len(kids) < 4 or kids[2].type != "in" or kids[-1].type != "esac":
        raise state.refusal("case", "case_statement", *node.byte_range)
    subject = words.read(state, kids[1].start_byte, kids[2].start_byte)
    if state.source[subject.span[1]] not in " \t\n" or state.source[kids[2].end_byte] not in " \t\n":
        raise state.refusal("case", "case_statement", *node.byte_range)
    check_gap(state, subject.span[1], kids[2].start_byte, newlines=True)
    outer = state.enter("case")
    open_end: int | None = None
    for kid in kids[3:]:
        if open_end is not None and not (kid.type == "esac" and _newline_between(state, open_end, kid.start_byte)):
            raise state.refusal("separator", kid.type, *kid.byte_range)
        if kid.type == "case_item":
            open_end = _case_item(state, kid)
        elif kid.type not in ("esac", "\n"):
            raise state.refusal("case", kid.type, *kid.byte_range)
    _read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _case_item(state: State, node: Node) -> int | None:
    """Read one item; the end of its last statement if nothing terminates it."""
    kids = children(state, node, newlines=True)
    closing = next((index for index, kid in enumerate(kids) if kid.type == ")"), None)
    if closing is None:
        raise state.refusal("case", "case_item", *node.byte_range)
    _read_patterns(state, node.start_byte, kids[closing].start_byte)
    if kids[-1].type in CASE_ENDS:
        _read_sequence(state, kids[closing + 1 : -1])
        return None
    return _read_sequence(state, kids[closing + 1 :])


def _read_patterns(state: State, start: int, end: int) -> None:
    source = state.source
    position = start + 1 if source[start] == "(" else start
    while True:
        position = words.skip_blanks(state, position, end)
        pattern = words.read(state, position, end)
        if pattern.text in RESERVED_WORDS or "continuation" in pattern.features or source[position] == "#":
            raise state.refusal("case", "case_item", *pattern.span)
        position = words.skip_blanks(state, pattern.span[1], end)
        if position == end:
            return
        if source[position] != "|":
            raise state.refusal("case", "case_item", position, position + 1)
        position += 1


def _function(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    names = [kid for kid in kids if kid.type == "word"]
    body = next((kid for kid in kids if kid.type in ("compound_statement", "subshell")), None)
    if body is None or len(names) != 1:
        raise state.refusal("function", "function_definition", *node.byte_range)
    header = [kid.type for kid in kids[: kids.index(body)]]
    if header not in (["word", "(", ")"], ["function", "word"], ["function", "word", "(", ")"]):
        raise state.refusal("function", "function_definition", *node.byte_range)
    name = state.source[names[0].start_byte : names[0].end_byte]
    previous = kids[kids.index(body) - 1].end_byte
    if not FUNCTION_NAME.fullmatch(name) or name in RESERVED_WORDS:
        raise state.refusal("function", "function_definition", *names[0].byte_range)
    if "\n" in state.source[node.start_byte : previous] or (header[-1] == "word" and previous == body.start_byte):
        raise state.refusal("function", "function_definition", *node.byte_range)
    outer = state.enter("function")
    visit(state, body, Tail(tail.end if tail else node.end_byte, tail.body if tail else None))
    state.leave(outer)


Visitor = Callable[[State, Node, Tail | None], None]

VISITORS: dict[str, Visitor] = {
    "c_style_for_statement": _arithmetic_for,
    "case_statement": _case,
    "command": _simple,
    "compound_statement": _group,
    "declaration_command": _simple,
    "file_redirect": _simple,
    "for_statement": _for,
    "function_definition": _function,
    "heredoc_redirect": _simple,
    "herestring_redirect": _simple,
    "if_statement": _if,
    "list": _pipelines,
    "negated_command": _pipelines,
    "pipeline": _pipelines,
    "redirected_statement": _pipelines,
    "subshell": _subshell,
    "test_command": _test,
    "unset_command": _simple,
    "variable_assignment": _simple,
    "variable_assignments": _simple,
    "while_statement": _while,
}
