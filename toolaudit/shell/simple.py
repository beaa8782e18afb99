"""Simple commands: assignments, words and redirections, up to the end of their node."""

from __future__ import annotations

import re

from toolaudit.shell import builtins, redirects, words
from toolaudit.shell.expansions import NUMERIC_PARAMETERS
from toolaudit.shell.heredocs import HereDocument
from toolaudit.shell.parts import Parts
from toolaudit.shell.reading import Assignment, Redirect, Shape, Word
from toolaudit.shell.state import State
from toolaudit.shell.variables import NUMBER, RESERVED_WORDS, is_sensitive

ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[(?:[A-Za-z0-9_@*+-]|\$[A-Za-z_][A-Za-z0-9_]*+)*+\])?(\+?=)")

OPEN_SUBSCRIPT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[")
"""Where a word may be an assignment bash reads on to the closing bracket, over blanks and operators."""

DIGITS = re.compile(r"(?:[0-9]|\\\n)+")

ELEMENT = re.compile(r"\[([A-Za-z0-9_.-]*)\]=")
IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*", re.ASCII)
BLANKS_AND_NEWLINES = re.compile(r"(?:[ \t\n]|\\\n)*")
NUMBER_RANGE = re.compile(r"\{-?[0-9]+\.\.-?[0-9]+\}")

DECLARATIONS = frozenset(("declare", "typeset", "local", "export", "readonly"))
"""Commands whose arguments bash reads as assignments, if their name is written without quotes."""

PIPELINE_PREFIXES = frozenset(("time", "coproc"))
"""Reserved words that the parser takes for the command word."""

REDIRECTING = frozenset("<>&0123456789")


def read(state: State, start: int, end: int, heredoc: HereDocument | None = None) -> None:
    """Read the simple command in `start` to `end` and list it."""
    line = Line(state, start, end, heredoc)
    line.read()
    line.emit()


def read_redirects(state: State, start: int, end: int, heredoc: HereDocument | None = None) -> None:
    """Read what follows a compound command up to `end`: redirections and nothing else."""
    line = Line(state, start, end, heredoc)
    line.read()
    if line.argv or line.assignments:
        raise state.refusal("redirection", "redirected_statement", start, end)
    if line.redirects:
        line.emit()


class Line:
    """One simple command being read."""

    def __init__(self, state: State, start: int, end: int, heredoc: HereDocument | None) -> None:
        self.state = state
        self.position = start
        self.end = end
        self.heredoc = heredoc
        self.argv: list[Word] = []
        self.assignments: list[Assignment] = []
        self.redirects: list[Redirect] = []
        self.start = start
        self.last = start
        self.declares = False

    def read(self) -> None:
        """Take in words and redirections up to the end; raise Refusal on anything that is neither."""
        state, end = self.state, self.end
        self.position = self.start = words.skip_blanks(state, self.position, end)
        while self.position < end:
            self._read_item()
            self.last = self.position
            self.position = words.skip_blanks(state, self.position, end)
        if self.heredoc is not None and not self.heredoc.used:
            raise state.refusal("here-document", "heredoc_redirect", self.start, end)

    def _read_item(self) -> None:
        state, source, position, end = self.state, self.state.source, self.position, self.end
        character = source[position]
        if character in REDIRECTING and (match := redirects.OPERATOR.match(source, position, end)):
            self._read_redirect(match)
        elif character == "#":
            raise state.refusal("comment", "comment", position, position + 1)
        elif (not self.argv or self.declares) and (match := ASSIGNMENT.match(source, position, end)):
            self._read_assignment(match)
        elif (not self.argv or self.declares) and OPEN_SUBSCRIPT.match(source, position, end):
            raise state.refusal("subscript", "subscript", position, position + 1)
        else:
            self._read_word(words.read(state, position, end))

    def _read_word(self, word: Word) -> None:
        state = self.state
        self.position = word.span[1]
        before_operator = self.position < self.end and state.source[self.position] in "<>"
        if before_operator and (word.text[0] == "{" or DIGITS.fullmatch(word.text)):
            # Bash takes digits or {name} right before an operator for the descriptor.
            raise state.refusal("descriptor", "file_redirect", *word.span)
        if not self.argv:
            self.declares = word.text in DECLARATIONS
            if "continuation" in word.features and "=" in word.text:
                raise state.refusal("continuation", "variable_assignment", *word.span)
        self.argv.append(word)

    def _read_redirect(self, match: re.Match[str]) -> None:
        if match[2] in ("<<", "<<-"):
            if self.heredoc is None:
                raise self.state.refusal("here-document", "heredoc_redirect", *match.span())
            redirect = self.heredoc.redirect(self.state, match)
        else:
            redirect = redirects.read(self.state, match, self.end)
        self.redirects.append(redirect)
        self.position = redirect.span[1]

    def _read_assignment(self, match: re.Match[str]) -> None:
        state, start = self.state, match.start()
        name, subscript, operator = match.groups()
        position = match.end()
        value: Word | None = None
        if position < self.end:
            if state.source[position] == "(":
                value = _read_array(state, position, self.end)
            elif state.source[position] not in words.TERMINATORS or state.source.startswith(("<(", ">("), position):
                value = words.read_value(state, position, self.end)
        if self.declares and value is not None and "{" in value.text:
            raise state.refusal("brace-expansion", "variable_assignment", *value.span)
        self.position = value.span[1] if value is not None else position
        span = (start, self.position)
        if subscript:
            for identifier in IDENTIFIER.findall(subscript):
                state.uses_number(identifier, "subscript", span)
        set_variable(state, name, value, span)
        if self.declares:
            known = value is None or (value.value is not None and subscript is None)
            text = state.slice(*span)
            static = f"{name}{operator}{value.value if value else ''}" if known else None
            shape = Shape.STATIC if known else Shape.ONE
            features = value.features if value else frozenset()
            self.argv.append(Word(text, shape, static, span, features))
        else:
            self.assignments.append(Assignment(name + (subscript or ""), operator, value, span))

    def emit(self) -> None:
        """List the command, and what bash would start for it."""
        state = self.state
        state.add(tuple(self.argv), tuple(self.assignments), tuple(self.redirects), self.start, self.last)
        if self.argv:
            self._check_command(0, state.context)

    def _check_command(self, index: int, context: tuple[str, ...]) -> None:
        """Check the command word at `index`: what it is, and whether bash would run yet another command for it."""
        state = self.state
        argv = self.argv[index:]
        word = argv[0]
        if word.value is None:
            state.evaluates("dynamic-command", "command_name", word.span)
            return
        if word.text in RESERVED_WORDS and (index == 0 or self.argv[index - 1].text in PIPELINE_PREFIXES):
            inner = self._after_prefix(index)
        else:
            inner = builtins.check(state, argv)
        if inner:
            outer = state.enter(word.value)
            rest = tuple(argv[inner:])
            state.add(rest, tuple(self.assignments), tuple(self.redirects), rest[0].span[0], self.last)
            self._check_command(index + inner, state.context)
            state.leave(outer)

    def _after_prefix(self, index: int) -> int:
        """The number of words `time` or `coproc` takes before a simple command; any other reserved word is refused.

        At the start of a pipeline these are reserved words; after `|` or a redirection, `time` is a program. Only
        before the words of a simple command does the parser see what bash sees.
        """
        inner = 1
        prefix = self.argv[index]
        following = [word.text for word in self.argv[index + 1 : index + 3]]
        if prefix.text == "time" and following[:1] == ["-p"]:
            inner = 2
        text = following[inner - 1] if len(following) >= inner else "-"
        if (
            prefix.text not in PIPELINE_PREFIXES
            or self.assignments
            or (text in RESERVED_WORDS and text not in PIPELINE_PREFIXES)
            or text.startswith("-")
            or ASSIGNMENT.match(text)
            or OPEN_SUBSCRIPT.match(text)
        ):
            raise self.state.refusal("reserved-word", "command_name", *prefix.span)
        return inner


def set_variable(state: State, name: str, value: Word | None, span: tuple[int, int]) -> None:
    """Note that the text sets a variable: to a number, or to something not known to be one."""
    static = "" if value is None else value.value
    if is_sensitive(name, static):
        state.evaluates("sensitive-variable", "variable_assignment", span)
    if value is not None and not is_number(value):
        state.unknown_values.add(name)


def is_number(word: Word) -> bool:
    """Whether the word is an integer, or nothing, whatever happens."""
    if word.value is not None:
        return NUMBER.fullmatch(word.value) is not None
    if NUMBER_RANGE.fullmatch(word.text):
        return True
    return word.features <= {"arithmetic", "double-quote"} or word.text.strip('"') in NUMERIC_PARAMETERS


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
        separated = position == start + 1 or match.end() > position
        position = match.end()
        if source[position] == ")":
            break
        if not separated or source[position] == "#":
            raise state.refusal("array", "array", position, position + 1)
        word = _read_element(state, position, end)
        parts.features |= word.features
        position = word.span[1]
    position += 1
    if position < end and source[position] not in " \t\n;&|<>":
        raise state.refusal("array", "array", start, position)
    return parts.word(state, position)


def _read_element(state: State, start: int, end: int) -> Word:
    if state.source[start] != "[":
        return words.read(state, start, end)
    match = ELEMENT.match(state.source, start, end)
    if match is None or match.end() >= end:
        raise state.refusal("array", "array", start, start + 1)
    for identifier in IDENTIFIER.findall(match[1]):
        state.uses_number(identifier, "subscript", match.span())
    return words.read_value(state, match.end(), end)
