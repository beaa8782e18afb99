"""Simple commands: assignments, words and redirections in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from toolaudit.patterns import late
from toolaudit.shell import assignments, builtins, heredocs, redirects, words
from toolaudit.shell.heredocs import Opening
from toolaudit.shell.reading import Assignment, Redirect, Shape, Word
from toolaudit.shell.state import State
from toolaudit.shell.variables import RESERVED_WORDS

DESCRIPTOR = late(r"\{|(?:[0-9]|\\\n)+\Z")
BEFORE_OPERATOR = late(r"(?:\\\n)*[<>]")

DECLARATIONS = frozenset(("declare", "typeset", "local", "export", "readonly"))
"""Commands whose arguments bash reads as assignments, if their name is written without quotes."""

LINE_SPLITTING = frozenset(("read", "mapfile", "readarray"))
"""Builtins for which alone IFS may be set: the text's own words are not split by it."""

REDIRECTING = frozenset("<>&0123456789")
ENDING = frozenset(";|&\n#")


def read(state: State, start: int, end: int, body: Word | None = None) -> None:
    """Read the simple command that fills `start` to `end`, and list it; `body` is that of its here-document."""
    _read_whole(state, start, end, body).emit()


def read_redirects(state: State, start: int, end: int, body: Word | None = None) -> None:
    """Read what follows a compound command up to `end`: redirections and nothing else."""
    line = _read_whole(state, start, end, body)
    if line.argv or line.assignments:
        raise state.refusal("redirection", "redirected_statement", start, end)
    if line.redirects:
        line.emit()


def _read_whole(state: State, start: int, end: int, body: Word | None) -> Line:
    line = Line(state, start, end)
    line.read()
    if line.position < end:
        raise state.refusal("operator", "command", line.position, line.position + 1)
    if line.last == end < state.end and state.source[end] not in words.TERMINATORS:
        # The parser ends `a=()#` before what it takes for a comment.
        raise state.refusal("word", "word", end, end + 1)
    if len(line.openings) != (body is not None):
        raise state.refusal("here-document", "heredoc_redirect", start, end)
    if body is not None:
        line.fill([body])
    return line


def _is_known(state: State, word: Word) -> bool:
    """Whether the command word is known before it runs; if not, that is noted."""
    if word.value is None:
        state.evaluates("dynamic-command", "command_name", word.span)
    return word.value is not None


def _check_descriptor(state: State, word: Word, end: int) -> None:
    """Right before an operator bash takes digits or {name} for the descriptor."""
    if BEFORE_OPERATOR.match(state.source, word.span[1], end) and DESCRIPTOR.match(word.text):
        raise state.refusal("descriptor", "file_redirect", *word.span)


def _check_subscript(state: State, start: int, end: int) -> None:
    """Where a word may be an assignment, bash reads a subscript on to its bracket, over blanks and operators."""
    if assignments.OPEN_SUBSCRIPT.match(state.source, start, end):
        raise state.refusal("subscript", "subscript", start, start + 1)


def _check_joined(state: State, word: Word) -> None:
    """A word over two lines is refused where, joined, it may be an assignment, a subscript or a reserved word."""
    joined = word.text.replace("\\\n", "")
    if "=" in joined or "[" in joined or joined in RESERVED_WORDS:
        raise state.refusal("continuation", "word", *word.span)


class Line:
    """One simple command being read."""

    __slots__ = (
        "argv",
        "assignments",
        "declares",
        "end",
        "last",
        "openings",
        "position",
        "redirects",
        "start",
        "state",
    )

    def __init__(self, state: State, start: int, end: int) -> None:
        self.state = state
        self.position = start
        self.end = end
        self.argv: list[Word] = []
        self.assignments: list[Assignment] = []
        self.redirects: list[Redirect | Opening] = []
        self.openings: list[Opening] = []
        """Those among the redirections whose bodies are still to be read."""
        self.start = start
        self.last = start
        """Behind the last word or redirection; `position` is behind the blanks after it."""
        self.declares = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.argv or self.assignments or self.redirects)

    def read(self) -> None:
        """Take in words and redirections up to an operator, a comment, a newline or the end.

        Raises Refusal on what can't stand in a simple command.
        """
        state, source, end, argv = self.state, self.state.source, self.end, self.argv
        word, run = words.PLAIN.match, words.PLAIN_RUN.match
        position = self.start = self.last = words.skip_blanks(state, self.position, end)
        while position < end:
            takes_assignments = not argv or self.declares
            # Words one at a time behind an assignment: another may follow, and a run is not to be matched for each.
            match = (word if takes_assignments and position > self.start else run)(source, position, end)
            if match is not None and not (takes_assignments and "=" in match[0]):
                for text in match[0].split(" "):
                    after = position + len(text)
                    argv.append(Word(text, Shape.STATIC, text, (position, after)))
                    position = after + 1
                position -= 1
                self.declares = self.declares or argv[0].text in DECLARATIONS
            elif source[position] in REDIRECTING and (match := redirects.OPERATOR.match(source, position, end)):
                position = self._read_redirect(match)
            elif source[position] in ENDING:
                break
            elif takes_assignments and (match := assignments.START.match(source, position, end)):
                position = self._read_assignment(match)
            else:
                position = self._read_word(position)
            self.last = position
            if position < end and source[position] in " \t\\":
                position = words.skip_blanks(state, position, end)
        self.position = position

    def _read_word(self, start: int) -> int:
        state, argv = self.state, self.argv
        if not argv or self.declares:
            _check_subscript(state, start, self.end)
        word = words.read(state, start, self.end)
        end = word.span[1]
        _check_descriptor(state, word, self.end)
        if "continuation" in word.features and (not argv or self.declares):
            _check_joined(state, word)
        if not argv:
            self.declares = word.text in DECLARATIONS
        argv.append(word)
        return end

    def _read_redirect(self, match: re.Match[str]) -> int:
        redirect: Redirect | Opening
        if match[2] in ("<<", "<<-"):
            redirect = heredocs.read_opening(self.state, match, self.end)
            self.openings.append(redirect)
        else:
            redirect = redirects.read(self.state, match, self.end)
        self.redirects.append(redirect)
        return redirect.span[1]

    def _read_assignment(self, match: re.Match[str]) -> int:
        assignment = assignments.read(self.state, match, self.end)
        if self.declares:
            self.argv.append(assignments.as_argument(self.state, assignment))
        else:
            self.assignments.append(assignment)
        return assignment.span[1]

    def fill(self, bodies: Iterable[Word]) -> None:
        """Give the here-documents their bodies."""
        body = iter(bodies)
        self.redirects = [one.redirect(next(body)) if isinstance(one, Opening) else one for one in self.redirects]
        self.openings = []

    def emit(self) -> None:
        """List the command, and what bash would start for it. Its here-documents must have their bodies."""
        self._add(self.argv, self.start)
        if self.assignments:
            self._check_assignments()
        if self.argv:
            self._check_command(0)

    def _add(self, argv: Sequence[Word], start: int) -> None:
        redirects = cast("list[Redirect]", self.redirects)
        self.state.add(tuple(argv), tuple(self.assignments), tuple(redirects), start, self.last)

    def _check_assignments(self) -> None:
        splits_lines = bool(self.argv) and self.argv[0].value in LINE_SPLITTING
        for assignment in self.assignments:
            if not (splits_lines and assignment.name == "IFS"):
                assignments.check_sensitive(self.state, assignment)

    def _check_command(self, index: int) -> None:
        """Check the command word at `index`: what it is, and whether bash would run yet another command for it."""
        state, argv = self.state, self.argv
        word = argv[index]
        if not _is_known(state, word):
            return
        if word.value in DECLARATIONS and not (index == 0 and self.declares):
            self._check_late_declaration(argv[index:])
        if index == 0 and word.text in RESERVED_WORDS:
            inner = self._after_reserved()
        elif word.value in builtins.CHECKED:
            inner = builtins.check(state, argv[index:])
        else:
            return
        if inner:
            outer = state.enter(word.value or "")
            self._add(argv[index + inner :], argv[index + inner].span[0])
            self._check_command(index + inner)
            state.leave(outer)

    def _check_late_declaration(self, argv: Sequence[Word]) -> None:
        """Behind a prefix or under quotes a declaration's assignments were read as words: they expand otherwise."""
        if any(assignments.START.match(word.text) for word in argv[1:]):
            self.state.evaluates("evaluating-builtin", argv[0].value or "", argv[0].span)

    def _after_reserved(self) -> int:
        """The number of words `time` or `coproc` takes before a simple command; any other reserved word is refused.

        At the start of a pipeline `time` is a reserved word; after `|` or a redirection it is a program. Only before
        the words of a simple command does the parser see what bash sees.
        """
        word = self.argv[0]
        following = [argument.text for argument in self.argv[1:3]]
        inner = 2 if word.text == "time" and following[:1] == ["-p"] else 1
        text = following[inner - 1] if len(following) >= inner else "-"
        if (
            word.text not in ("time", "coproc")
            or self.assignments
            or text in RESERVED_WORDS
            or text.startswith("-")
            or assignments.START.match(text)
            or assignments.OPEN_SUBSCRIPT.match(text)
            or "continuation" in self.argv[inner].features
            or any(redirect.span < self.argv[inner].span for redirect in self.redirects)
        ):
            raise self.state.refusal("reserved-word", "command_name", *word.span)
        if word.text == "coproc":
            self.state.evaluates("coprocess", "command_name", word.span)
        return inner
