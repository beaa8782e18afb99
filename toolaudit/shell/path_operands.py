"""The operands of a command that the client checks as paths, as it would a file tool's.

One row of `path_programs` says, for a program, whether its operands are read or written, which options take the next
word, and whether the first operand is a pattern or a script. Programs without a row have no path operands, whatever
they do with their words. The client looks at these words whether or not the command is read-only otherwise. Measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolaudit.shell import sed
from toolaudit.shell.path_programs import PROGRAMS, Operands, Operation
from toolaudit.shell.reading import Shape, Word

FIND_FILES = re.compile(r"-(?:[ac]newer|newer(?:[aBcmt]{2})?|samefile|i?path|i?wholename|i?lname)")
"""Tests of `find` whose argument the client takes for a path."""


@dataclass(frozen=True, slots=True)
class PathOperand:
    """A word that names a file or directory, and what is done with it."""

    word: Word
    operation: Operation


def path_operands(argv: Sequence[Word]) -> tuple[PathOperand, ...]:
    """The path operands of a command, in order; `argv` is what is left after assignments and wrappers."""
    name = argv[0].value
    if name is None:
        return ()
    if name == "cd":
        return _cd(argv)
    if name == "find":
        return tuple(PathOperand(word, "read") for word in _find(argv[1:]))
    if name == "sed":
        return tuple(_sed(argv))
    arguments = argv[1:]
    if name == "git" and len(argv) > 1:
        name, arguments = f"git {argv[1].value}", argv[2:]
    entry = PROGRAMS.get(name)
    if entry is None:
        return ()
    return tuple(PathOperand(word, entry.operation) for word in _operands(entry, arguments))


def _spelled(word: Word) -> str:
    return word.value if word.value is not None else word.text


def _operands(entry: Operands, arguments: Sequence[Word]) -> Iterator[Word]:
    patterns_left = entry.patterns
    at, ended = 0, False
    while at < len(arguments):
        word = arguments[at]
        text = _spelled(word)
        at += 1
        if ended or len(text) < 2 or not text.startswith("-"):
            if patterns_left:
                patterns_left -= 1
            else:
                yield word
            continue
        if text == "--":
            ended = True
            continue
        flag, equals, value = text.partition("=")
        if not equals:
            flag, value = _attached(entry, flag)
        if flag in entry.pattern_flags or flag in entry.pattern_files:
            patterns_left = 0
        if flag in entry.files:
            if value:
                yield _part(word, value)
            elif at < len(arguments):
                yield arguments[at]
                at += 1
        elif flag in entry.valued and not equals and not value:
            at += 1


def _attached(entry: Operands, text: str) -> tuple[str, str]:
    """The option that may take the next word, and the value that is attached to it instead."""
    if text in entry.valued or text in entry.files or text.startswith("--"):
        return text, ""
    if text[:2] in entry.files or text[:2] in entry.pattern_flags:
        return text[:2], text[2:]
    if entry.switches and f"-{text[-1]}" in entry.valued and not text[1:-1].strip(entry.switches):
        return f"-{text[-1]}", ""
    return text, ""


def _part(word: Word, value: str) -> Word:
    """The value of an option that is written in one word with it."""
    return Word(value, word.shape, value if word.value is not None else None, word.span, word.features)


def _cd(argv: Sequence[Word]) -> tuple[PathOperand, ...]:
    """Where `cd` goes; without an operand, home. `cd -` goes back and names nothing."""
    operands = [word for word in argv[1:] if _spelled(word) == "-" or not _spelled(word).startswith("-")]
    if not operands:
        return (PathOperand(Word("~", Shape.STATIC, "~", argv[0].span), "read"),)
    return tuple(PathOperand(word, "read") for word in operands if word.value != "-")


def _find(arguments: Sequence[Word]) -> Iterator[Word]:
    """The places `find` starts from, and the arguments of a few tests."""
    tests = False
    for index, word in enumerate(arguments):
        text = _spelled(word)
        if index and FIND_FILES.fullmatch(_spelled(arguments[index - 1])):
            yield word
        elif text.startswith("-") and text not in ("-H", "-L", "-P", "--"):
            tests = True
        elif not tests and not text.startswith("-") and text not in ("(", ")", "!"):
            yield word


def _sed(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """The files of `sed`: read where the script only prints lines by number, else written."""
    operation: Operation = "read" if sed.is_print(argv) else "write"
    scripts = 1
    at = 1
    while at < len(argv):
        word = argv[at]
        text = _spelled(word)
        at += 1
        if not text.startswith("-") or text == "-":
            if scripts:
                scripts -= 1
            else:
                yield PathOperand(word, operation)
        elif text in ("-e", "--expression") or (text.startswith("-") and text[1:2] != "-" and text.endswith("e")):
            scripts = 0
            at += 1
        elif text in ("-f", "--file"):
            scripts = 0
            if at < len(argv):
                yield PathOperand(argv[at], "read")
            at += 1
        elif text.startswith(("--expression=", "--file=")):
            scripts = 0
