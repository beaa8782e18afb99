"""Compound commands: groups, subshells, branches, loops, cases and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolaudit.patterns import late
from toolaudit.shell import assignments, conditions, expansions, simple, words
from toolaudit.shell.reading import Assignment
from toolaudit.shell.sequences import newline_between, read_sequence, read_statements
from toolaudit.shell.state import State, Tail
from toolaudit.shell.tree import check_gap, children
from toolaudit.shell.variables import RESERVED_WORDS, is_sensitive

if TYPE_CHECKING:
    from tree_sitter import Node

CASE_ENDS = frozenset((";;", ";&", ";;&"))

NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
FUNCTION_NAME = late(r"[A-Za-z_][A-Za-z0-9_:.-]*")


def read_tail(state: State, start: int, tail: Tail | None) -> None:
    """Read the redirections behind a compound command that ends at `start`."""
    if tail is not None:
        simple.read_redirects(state, start, tail.end, tail.body)


def read_subshell(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("((", node.start_byte):
        raise state.refusal("parenthesis", "subshell", *node.byte_range)
    outer = state.enter("subshell")
    read_statements(state, node, "(", ")")
    read_tail(state, node.end_byte, tail)
    state.leave(outer)


def read_group(state: State, node: Node, tail: Tail | None) -> None:
    if state.source.startswith("((", node.start_byte):
        conditions.read_arithmetic(state, node.start_byte, node.end_byte)
        read_tail(state, node.end_byte, tail)
        return
    _read_keywords(state, node, tail, "group")


def read_if(state: State, node: Node, tail: Tail | None) -> None:
    _read_keywords(state, node, tail, "if")


def read_while(state: State, node: Node, tail: Tail | None) -> None:
    _read_keywords(state, node, tail, "while")


def _read_keywords(state: State, node: Node, tail: Tail | None, context: str) -> None:
    outer = state.enter(context)
    read_sequence(state, children(state, node, newlines=True))
    read_tail(state, node.end_byte, tail)
    state.leave(outer)


def read_for(state: State, node: Node, tail: Tail | None) -> None:
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
    separator = kids[-2] if kids[-2].type == ";" else body
    values, position = words.read_list(state, header_end, separator.start_byte)
    terminated = separator is not body or newline_between(state, position, body.start_byte)
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
    read_sequence(state, [body])
    read_tail(state, node.end_byte, tail)
    state.leave(outer)


def read_arithmetic_for(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    body = kids[-1]
    if kids[0].type != "for" or kids[1].type != "((" or body.type != "do_group":
        raise state.refusal("for", "c_style_for_statement", *node.byte_range)
    position = expansions.read_expression(state, kids[1].end_byte, body.start_byte, clauses=3)
    if state.source[position : body.start_byte].strip(" \t\n") not in ("", ";"):
        raise state.refusal("for", "c_style_for_statement", *node.byte_range)
    outer = state.enter("for")
    read_sequence(state, [body])
    read_tail(state, node.end_byte, tail)
    state.leave(outer)


def read_case(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    if [kid.type for kid in (*kids[2:3], *kids[-1:])] != ["in", "esac"]:
        raise state.refusal("case", "case_statement", *node.byte_range)
    if state.source[kids[0].end_byte] not in " \t":
        # `case""` is a word.
        raise state.refusal("keyword", "case", *kids[0].byte_range)
    subject = words.read(state, kids[1].start_byte, kids[2].start_byte)
    if state.source[subject.span[1]] not in " \t\n" or state.source[kids[2].end_byte] not in " \t\n":
        raise state.refusal("case", "case_statement", *node.byte_range)
    check_gap(state, subject.span[1], kids[2].start_byte, newlines=True)
    outer = state.enter("case")
    open_end: int | None = None
    for kid in kids[3:]:
        if open_end is not None and not (kid.type == "esac" and newline_between(state, open_end, kid.start_byte)):
            raise state.refusal("separator", kid.type, *kid.byte_range)
        if kid.type == "case_item":
            open_end = _read_item(state, kid)
        elif kid.type != "esac":
            raise state.refusal("case", kid.type, *kid.byte_range)
    read_tail(state, node.end_byte, tail)
    state.leave(outer)


def _read_item(state: State, node: Node) -> int | None:
    """Read one item; the end of its last statement if nothing terminates it."""
    kids = children(state, node, newlines=True)
    closing = next((index for index, kid in enumerate(kids) if kid.type == ")"), None)
    if closing is None:
        raise state.refusal("case", "case_item", *node.byte_range)
    _read_patterns(state, node.start_byte, kids[closing].start_byte)
    if kids[-1].type in CASE_ENDS:
        read_sequence(state, kids[closing + 1 : -1])
        return None
    return read_sequence(state, kids[closing + 1 :])


def _read_patterns(state: State, start: int, end: int) -> None:
    source = state.source
    position = start + 1 if source[start] == "(" else start
    while True:
        position = words.skip_blanks(state, position, end)
        pattern = words.read(state, position, end)
        if pattern.text in RESERVED_WORDS or "continuation" in pattern.features:
            raise state.refusal("case", "case_item", *pattern.span)
        position = words.skip_blanks(state, pattern.span[1], end)
        if position == end:
            return
        if source[position] != "|":
            raise state.refusal("case", "case_item", position, position + 1)
        position += 1


def read_function(state: State, node: Node, tail: Tail | None) -> None:
    kids = children(state, node, newlines=True)
    names = [kid for kid in kids if kid.type == "word"]
    body = next((kid for kid in kids if kid.type in ("compound_statement", "subshell")), None)
    if body is None:
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
    state.visit(state, body, Tail(tail.end if tail else node.end_byte, tail.body if tail else None))
    state.leave(outer)
