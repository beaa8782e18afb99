"""Assignments, scalar and array, before a command word or as arguments of `declare` and its like."""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import words
from toolaudit.shell.expansions import IDENTIFIER, NUMERIC_PARAMETERS
from toolaudit.shell.parts import Parts
from toolaudit.shell.reading import Assignment, Shape, Word
from toolaudit.shell.state import State
from toolaudit.shell.variables import is_sensitive

START = late(r"([A-Za-z_][A-Za-z0-9_]*)(\[(?:[A-Za-z0-9_@*+-]|\$[A-Za-z_][A-Za-z0-9_]*+)*+\])?(\+?=)")
"""What makes a word an assignment to bash: a name, perhaps a subscript, and the operator, all without quotes."""

OPEN_SUBSCRIPT = late(r"[A-Za-z_][A-Za-z0-9_]*\[")

ELEMENT = late(r"\[([A-Za-z0-9_.-]*)\]=")
BLANKS_AND_NEWLINES = late(r"(?:[ \t\n]|\\\n)*")
NUMBER = late(r"-?[0-9]*")
NUMBER_RANGE = late(r"\{-?[0-9]+\.\.-?[0-9]+\}")
ONE_ARITHMETIC = late(r'("?)\$\(\((?:[^)]|\)(?!\)))*\)\)\1')


def read(state: State, match: re.Match[str], end: int) -> Assignment:
    """The assignment whose start `match` found, at most to `end`; the variable is noted as set."""
    name, subscript, operator = match.groups()
    position = match.end()
    value: Word | None = None
    if position < end:
        if state.source[position] == "(":
            value = _read_array(state, position, end)
            state.arrays.add(name)
        elif state.source[position] not in words.TERMINATORS or state.source.startswith(("<(", ">("), position):
            value = words.read_value(state, position, end)
    span = (match.start(), value.span[1] if value is not None else position)
    if subscript:
        state.arrays.add(name)
        for identifier in IDENTIFIER.findall(subscript):
            state.uses_number(identifier, "subscript", span)
    set_variable(state, name, value)
    return Assignment(name + (subscript or ""), operator, value, span)


def check_sensitive(state: State, assignment: Assignment) -> None:
    """Note an assignment that can change what bash looks up or how it reads on."""
    value = assignment.value
    if is_sensitive(assignment.name.partition("[")[0], "" if value is None else value.value):
        state.evaluates("sensitive-variable", "variable_assignment", assignment.span)


def as_argument(state: State, assignment: Assignment) -> Word:
    """The word an assignment makes as an argument of `declare` and its like.

    To a name that is an array these assign lists too, and expand the elements: `declare x="$y"` runs `id` where `$y`
    is `($(id))`.
    """
    check_sensitive(state, assignment)
    value = assignment.value
    text = state.slice(*assignment.span)
    if value is None:
        return Word(text, Shape.STATIC, text, assignment.span)
    if "{" in value.text:
        # Bash expands braces in these, and with them makes several assignments of one.
        raise state.refusal("brace-expansion", "variable_assignment", *value.span)
    if value.value is None or "[" in assignment.name:
        if "array" not in value.features:
            state.uses_scalar(assignment.name.partition("[")[0], assignment.span)
        return Word(text, Shape.ONE, None, assignment.span, value.features)
    static = assignment.name + assignment.operator + value.value
    return Word(text, Shape.STATIC, static, assignment.span, value.features)


def set_variable(state: State, name: str, value: Word | None) -> None:
    """Note that the text sets a variable: to a number, or to something not known to be one."""
    if value is not None and not is_number(value):
        state.unknown_values.add(name)


def is_number(word: Word) -> bool:
    """Whether the word is an integer, or nothing, whatever happens."""
    if word.value is not None:
        return NUMBER.fullmatch(word.value) is not None
    if NUMBER_RANGE.fullmatch(word.text):
        return True
    return word.text.strip('"') in NUMERIC_PARAMETERS or ONE_ARITHMETIC.fullmatch(word.text) is not None


def _read_array(state: State, start: int, end: int) -> Word:
    """The `(…)` of an array assignment. The subscripts of its elements are evaluated."""
    parts = Parts(start, assignment=True)
    parts.unknown("array")
    position = start + 1
    source = state.source
    while True:
        match = BLANKS_AND_NEWLINES.match(source, position, end)
        if match is None or match.end() >= end:
            raise state.refusal("array", "array", start, end)
        position = match.end()
        if source[position] == ")":
            break
        if source[position] == "#":
            raise state.refusal("array", "array", position, position + 1)
        word = _read_element(state, position, end)
        parts.features |= word.features
        position = word.span[1]
    position += 1
    if position < end and source[position] not in words.TERMINATORS:
        raise state.refusal("array", "array", start, position)
    return parts.word(state, position)


def _read_element(state: State, start: int, end: int) -> Word:
    if state.source[start] != "[":
        return words.read(state, start, end)
    match = ELEMENT.match(state.source, start, end)
    if match is None:
        raise state.refusal("array", "array", start, start + 1)
    for identifier in IDENTIFIER.findall(match[1]):
        state.uses_number(identifier, "subscript", match.span())
    return words.read_value(state, match.end(), end)
