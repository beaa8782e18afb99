"""What a dollar sign, a backtick or a double quote brings into a word.

Only forms whose evaluation runs nothing but the commands they show are read. The others are refused (the text may be
misread), or noted as evaluations (read right, but run time decides): indirection, prompt expansion, arithmetic over
values not known to be numbers.
"""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import substitutions
from toolaudit.shell.parts import Parts
from toolaudit.shell.state import State
from toolaudit.shell.variables import is_sensitive

PARAMETER = r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*\#?$!-])"
LONE_DOLLAR = r"\$(?![A-Za-z0-9_@*\#?$!({\[\-]|\\\n)"

QUOTED_PART = late(
    rf"""(?P<literal>[^"\\$`]+)
      | (?P<parameter>{PARAMETER})
      | (?P<expansion>\$\{{)
      | (?P<arithmetic>\$\(\()
      | (?P<command>\$\()
      | (?P<dollar>{LONE_DOLLAR})
      | \\(?P<escape>[$`"\\])
      | (?P<continuation>\\\n)
      | (?P<backslash>\\)
      | (?P<backtick>`)
      | (?P<end>")
    """,
    re.VERBOSE,
)

NUMERIC_PARAMETERS = frozenset(("$#", "$?", "$$", "$!"))
"""A number, or for `$!` nothing."""

HEAD = late(
    r"""\$\{(?P<prefix>[!\#]?)
        (?P<name>[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*\#?$!-])
        (?:\[(?P<subscript>(?:[^\]\[$`'"\\{}()<>\n]++|\$[A-Za-z_][A-Za-z0-9_]*+)*+)\])?
        (?P<operator>\}|:?[-+=?]|\#\#?|%%?|//?|\^\^?|,,?|:|@[QEPAKakUuL]\}|[@*]\})
    """,
    re.VERBOSE,
)
"""Up to the operator; `name` without operator ends in `}`."""

OPERAND = late(
    rf"""(?P<literal>[A-Za-z0-9_./:,\ *?=+@%\#!~^\x80-\xff-]+)
      | (?P<parameter>{PARAMETER})
      | (?P<expansion>\$\{{)
      | (?P<arithmetic>\$\(\()
      | (?P<command>\$\()
      | (?P<backtick>`)
      | \\(?P<escape>[/.:*?\-])
      | (?P<quote>")
      | (?P<single>'[^']*')
      | (?P<end>\}})
    """,
    re.VERBOSE,
)

QUOTED_OPERAND = late(OPERAND.pattern.replace("(?P<literal>[", "(?P<literal>[<>|;&()", 1), re.VERBOSE)
"""Inside double quotes operators and parentheses are text."""

SUBSTRING = late(r" ?-?(?P<offset>[0-9]+|[A-Za-z_]\w*)(?::-?(?P<length>[0-9]+|[A-Za-z_]\w*))?\}", re.ASCII)

ARITHMETIC = late(
    rf"""(?P<literal>[0-9A-Za-z_+*/%<>=!&|^~?:,\ \t\#-]+)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<clause>;)
      | (?P<parameter>{PARAMETER})
      | (?P<expansion>\$\{{)
      | (?P<arithmetic>\$\(\()
      | (?P<command>\$\()
    """,
    re.VERBOSE,
)

GLUE = late(r"[A-Za-z0-9_$}]")
"""Beside an expansion in arithmetic, these make another name or number of its value."""

IDENTIFIER = late(r"\b[A-Za-z_]\w*", re.ASCII)
"""In arithmetic; the `x` of `0x1f` does not start at a word boundary."""


def read_quoted(state: State, parts: Parts, start: int, end: int) -> int:
    """Take in the double-quoted text whose first byte is at `start`; the offset behind the closing quote."""
    parts.features.add("double-quote")
    position = start
    while match := QUOTED_PART.match(state.source, position, end):
        if match.lastgroup == "end":
            return match.end()
        position = read_part(state, parts, match, end)
    raise state.refusal("quote", "string", start - 1, position)


def read_part(state: State, parts: Parts, match: re.Match[str], end: int) -> int:
    """Take in one part of a text in which blanks, patterns and single quotes mean nothing; the offset behind it."""
    kind = match.lastgroup
    start = match.start()
    if kind == "literal":
        parts.value.append(state.slice(*match.span()))
    elif kind == "parameter":
        parts.unknown("variable", many=match["parameter"] == "$@")
    elif kind == "expansion":
        return read_parameter(state, parts, start, end, quoted=True)
    elif kind == "command":
        parts.unknown("command-substitution")
        return substitutions.read(state, start, end)
    elif kind == "arithmetic":
        return read_arithmetic(state, parts, start, end)
    elif kind == "backtick":
        parts.unknown("command-substitution")
        after = substitutions.read_backticks(state, start, end)
        _check_backtick_braces(state, start, after)
        return after
    elif kind == "escape":
        parts.features.add("escape")
        parts.value.append(match["escape"])
    elif kind == "continuation":
        parts.features.add("continuation")
    else:
        parts.value.append(match[0])
    return match.end()


def _check_backtick_braces(state: State, start: int, end: int) -> None:
    """When it looks for braces, bash does not see backticks inside double quotes, but quotes inside the backticks."""
    text = state.source[start:end]
    if '"' in text and "{" in text:
        raise state.refusal("brace-expansion", "command_substitution", start, end)


def read_parameter(state: State, parts: Parts, start: int, end: int, *, quoted: bool) -> int:
    """Take in the `${…}` at `start`; the offset behind its brace."""
    head = HEAD.match(state.source, start, end)
    if head is None:
        raise state.refusal("expansion", "expansion", start, start + 2)
    prefix, name, subscript, operator = head.group("prefix", "name", "subscript", "operator")
    span = head.span()
    every = name == "@" or subscript == "@" or operator == "@}"
    if prefix == "#":
        if operator != "}":
            raise state.refusal("expansion", "expansion", *span)
        every = False
    elif prefix == "!" and operator != "@}" and operator != "*}" and subscript not in ("@", "*"):
        state.evaluates("indirection", "expansion", span)
        every = True
    elif operator in ("@}", "*}") and prefix != "!":
        raise state.refusal("expansion", "expansion", *span)
    parts.unknown("expansion", many=every if quoted else prefix != "#")
    if subscript is not None:
        _use_subscript(state, subscript, span)
    if operator == "@P}":
        state.evaluates("prompt-expansion", "expansion", span)
    if operator[-1] == "}":
        return head.end()
    if operator == ":":
        return _read_substring(state, head.end(), end)
    if operator in ("=", ":="):
        state.unknown_values.add(name)
        if is_sensitive(name):
            state.evaluates("sensitive-variable", "expansion", span)
    return _read_operand(state, parts, head.end(), end, quoted=quoted)


def _use_subscript(state: State, subscript: str, span: tuple[int, int]) -> None:
    if subscript not in ("@", "*"):
        for name in IDENTIFIER.findall(subscript):
            state.uses_number(name, "subscript", span)


def _read_substring(state: State, start: int, end: int) -> int:
    match = SUBSTRING.match(state.source, start, end)
    if match is None:
        raise state.refusal("substring", "expansion", start, start + 1)
    for number in match.group("offset", "length"):
        if number and not number.isdigit():
            state.uses_number(number, "expansion", match.span())
    return match.end()


def _read_operand(state: State, parts: Parts, start: int, end: int, *, quoted: bool) -> int:
    """The word or pattern behind an operator. Inside double quotes single quotes are sometimes text: refused there."""
    outer = state.enter()
    inner = Parts(start)
    position = start
    operand = QUOTED_OPERAND if quoted else OPERAND
    while match := operand.match(state.source, position, end):
        kind = match.lastgroup
        if kind == "end":
            parts.features |= inner.features
            state.leave(outer)
            return match.end()
        if kind == "quote":
            if quoted:
                break
            position = read_quoted(state, inner, match.end(), end)
        elif kind == "single":
            if quoted:
                break
            position = match.end()
        elif kind == "expansion":
            position = read_parameter(state, inner, position, end, quoted=quoted)
        else:
            position = read_part(state, inner, match, end)
    raise state.refusal("operand", "expansion", start, position)


def read_arithmetic(state: State, parts: Parts, start: int, end: int) -> int:
    """Take in the `$((…))` at `start`; the offset behind it."""
    parts.unknown("arithmetic")
    return read_expression(state, start + 3, end)


def read_expression(state: State, start: int, end: int, *, clauses: int = 1) -> int:
    """Read an arithmetic expression, or as many `clauses`, up to its `))`; the offset behind that.

    Parentheses must balance: `$((ls) | (id))` is a command substitution with two subshells.
    """
    outer = state.enter()
    depth = 0
    position = start
    while match := ARITHMETIC.match(state.source, position, end):
        kind = match.lastgroup
        if kind == "close" and depth == 0:
            if clauses != 1 or not state.source.startswith("))", position):
                break
            state.leave(outer)
            return position + 2
        if kind == "clause":
            clauses -= 1
        elif kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
        elif kind == "literal":
            _use_numbers(state, match)
        else:
            position = _read_number(state, match, end)
            continue
        position = match.end()
    raise state.refusal("arithmetic", "arithmetic_expansion", start, position)


def _read_number(state: State, match: re.Match[str], end: int) -> int:
    """Read an expansion within arithmetic: bash puts its value there and evaluates what comes out."""
    start = match.start()
    after = read_part(state, Parts(start), match, end)
    parameter = match["parameter"]
    glued = GLUE.match(state.source[start - 1]) or GLUE.match(state.source[after : after + 1])
    if glued or match.lastgroup in ("expansion", "command"):
        state.evaluates("unknown-number", "arithmetic_expansion", (start, after))
    elif parameter and parameter not in NUMERIC_PARAMETERS:
        state.uses_number(parameter[1:], "arithmetic_expansion", (start, after))
    return after


def _use_numbers(state: State, match: re.Match[str]) -> None:
    for name in IDENTIFIER.findall(match[0]):
        state.uses_number(name, "arithmetic_expansion", match.span())
        if is_sensitive(name):
            state.evaluates("sensitive-variable", "arithmetic_expansion", match.span())
