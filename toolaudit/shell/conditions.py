"""`[[ … ]]` and `(( … ))`: no program by themselves, but their words can hold substitutions and are evaluated."""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import expansions, words
from toolaudit.shell.assignments import is_number
from toolaudit.shell.reading import Shape, Word
from toolaudit.shell.state import State

BLANKS = late(r"(?:\\\n)*+[ \t\n](?:[ \t\n]|\\\n)*")
"""At least one blank or newline: a continuation alone separates nothing."""

OPERATOR = late(r"&&|\|\||[()](?![(|&])|[<>](?=[ \t])")

REGEX = late(
    rf"""(?:[A-Za-z0-9_.^*+?/:=@%,\#!\[\]{{}}()|-]
      | \\[!-~]
      | "[^"\\$`]*"
      | '[^']*'
      | \$[A-Za-z_][A-Za-z0-9_]*
      | {expansions.LONE_DOLLAR}(?!['"])
    )+(?=[ \t\n])""",
    re.VERBOSE,
)
"""What may stand behind `=~`; parentheses and bars are part of the word there."""

NUMERIC = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
NAME = late(r"\$?([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def read_condition(state: State, start: int, end: int) -> None:
    """Read the `[[ … ]]` in `start` to `end` and list it as a command of that name."""
    source = state.source
    found = [_token("[[", start)]
    position = start + 2
    if source[end - 2 : end] != "]]" or end - start < 5:
        raise state.refusal("condition", "test_command", start, end)
    while True:
        blanks = BLANKS.match(source, position, end)
        if blanks is not None:
            position = blanks.end()
        if position == end - 2 and blanks is not None:
            break
        if position >= end - 2:
            raise state.refusal("condition", "test_command", start, end)
        if operator := OPERATOR.match(source, position, end - 2):
            word = _token(operator[0], position)
        elif blanks is None and found[-1].text not in ("(", ")", "&&", "||"):
            raise state.refusal("condition", "test_command", position, position + 1)
        elif found[-1].text == "=~":
            word = _regex(state, position, end)
        else:
            word = words.read(state, position, end - 2)
            if word.text == "]]" or "continuation" in word.features or source[position] == "#":
                raise state.refusal("condition", "test_command", *word.span)
        found.append(word)
        position = word.span[1]
    found.append(_token("]]", end - 2))
    _check_operands(state, found)
    state.add(tuple(found), (), (), start, end)


def read_arithmetic(state: State, start: int, end: int) -> None:
    """Read the `((…))` in `start` to `end` and list it as a command of that text."""
    if expansions.read_expression(state, start + 2, end) != end:
        raise state.refusal("arithmetic", "compound_statement", start, end)
    text = state.slice(start, end)
    word = Word(text, Shape.STATIC, text, (start, end), frozenset(("arithmetic",)))
    state.add((word,), (), (), start, end)


def _token(text: str, start: int) -> Word:
    return Word(text, Shape.STATIC, text, (start, start + len(text)))


def _regex(state: State, start: int, end: int) -> Word:
    match = REGEX.match(state.source, start, end - 2)
    if match is None:
        raise state.refusal("regex", "regex", start, start + 1)
    return Word(state.slice(*match.span()), Shape.ONE, None, match.span(), frozenset(("regex",)))


def _check_operands(state: State, found: list[Word]) -> None:
    """The operands of `-eq` and its like are arithmetic, the operand of `-v` and `-R` is a name with a subscript."""
    for index, word in enumerate(found):
        if word.text in ("-v", "-R"):
            operands = found[index + 1 : index + 2]
            if any(NAME.fullmatch(operand.text) is None or operand.text[0] == "$" for operand in operands):
                state.evaluates("subscript", "test_operator", word.span)
        elif word.text in NUMERIC and index > 0:
            for operand in (found[index - 1], found[index + 1]):
                _check_number(state, operand)


def _check_number(state: State, operand: Word) -> None:
    if is_number(operand):
        return
    name = NAME.fullmatch(operand.text.strip('"'))
    if name is None:
        state.evaluates("unknown-number", "test_operator", operand.span)
    else:
        state.uses_number(name[1] or name[2], "test_operator", operand.span)
