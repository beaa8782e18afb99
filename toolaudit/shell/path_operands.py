"""The operands of a command that the client checks as paths, as it would a file tool's.

One row of `path_programs` says, for a program, whether its operands are read or written, which options take the next
word, and whether the first operand is a pattern or a script. Programs without a row have no path operands, whatever
they do with their words. The client looks at these words whether or not the command is read-only otherwise. Measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from posixpath import join
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.shell import sed
from toolaudit.shell.path_programs import PROGRAMS, Operands, Operation
from toolaudit.shell.reading import Shape, Word
from toolaudit.structs import Struct

GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
FIND_FILES = late(r"-(?:[ac]newer|newer(?:[aBcmt]{2})?|samefile|i?path|i?wholename|i?lname)")
"""Tests of `find` whose argument the client takes for a path."""


class PathOperand(Struct):
    """A word that names a file or directory, and what is done with it."""

    word: Word
    operation: Operation


def path_operands(argv: Sequence[Word]) -> tuple[PathOperand, ...]:
    """The path operands of a command, in order; `argv` is what is left after assignments and wrappers.

    A word that is both read and written stands there twice.
    """
    name = argv[0].value
    if name is None:
        return ()
    special = SPECIAL.get(name)
    if special is not None:
        return tuple(special(argv))
    return _by_entry(name, argv[1:])


def _by_entry(name: str, arguments: Sequence[Word]) -> tuple[PathOperand, ...]:
    entry = PROGRAMS.get(name)
    if entry is None:
        return ()
    return tuple(PathOperand(word, entry.operation) for word in _operands(entry, arguments))


def _spelled(word: Word) -> str:
    return word.value if word.value is not None else word.text


def _is_option(text: str) -> bool:
    return len(text) > 1 and text.startswith("-")


def _plain(arguments: Sequence[Word]) -> list[Word]:
    """The words that are no options; after `--` all."""
    found: list[Word] = []
    ended = False
    for word in arguments:
        text = _spelled(word)
        if text == "--" and not ended:
            ended = True
        elif ended or not _is_option(text):
            found.append(word)
    return found


def _operands(entry: Operands, arguments: Sequence[Word]) -> Iterator[Word]:
    patterns = entry.patterns
    taking, ended = True, False
    at = 0
    while at < len(arguments):
        word = arguments[at]
        text = _spelled(word)
        at += 1
        if ended or not _is_option(text):
            taking = False
            if patterns:
                patterns -= 1
            else:
                yield word
            continue
        if text == "--":
            ended = True
            continue
        flag, value = _taken_apart(entry, text)
        if flag in entry.pattern_flags:
            patterns = 0
        if flag in entry.files or (flag in entry.named_files and at < len(arguments)):
            at += flag in entry.named_files
            if value:
                yield Word(value, word.shape, value if word.value is not None else None, word.span, word.features)
            elif at < len(arguments):
                yield arguments[at]
                at += 1
        elif flag in entry.valued:
            at += taking and value is None
        elif entry.switches is not None and not _switches(text) <= entry.switches:
            taking = False


def _taken_apart(entry: Operands, text: str) -> tuple[str, str | None]:
    """The option that may take a value, and the value where it is in the same word."""
    if text.startswith("--"):
        flag, equals, value = text.partition("=")
        return flag, value if equals else None
    first, last = text[:2], f"-{text[-1]}"
    if len(text) > len(first) and (first in entry.files or first in entry.pattern_flags or first in entry.valued):
        return first, text[2:]
    if last in entry.files or last in entry.pattern_flags:
        return last, None
    if last in entry.valued and entry.switches is not None and _switches(text[:-1]) <= entry.switches:
        return last, None
    return text, None


def _switches(text: str) -> set[str]:
    """The options without a value that one word stands for."""
    return {text} if text.startswith("--") else {f"-{letter}" for letter in text[1:]}


def _cd(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """Where `cd` goes; without an operand, home. `cd -` goes back and names nothing, two operands are no `cd`."""
    arguments = list(argv[1:])
    while arguments and _is_option(_spelled(arguments[0])):
        if _spelled(arguments.pop(0)) == "--":
            break
    if not arguments:
        yield PathOperand(Word("~", Shape.STATIC, "~", argv[0].span), "read")
    elif len(arguments) == 1 and arguments[0].value != "-":
        yield PathOperand(arguments[0], "read")


def _copy(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """`cp` and `mv`: each operand is written to, and all but the last of several are read."""
    for word in argv[1:]:
        flag, equals, value = _spelled(word).partition("=")
        if flag == "--target-directory" and equals:
            yield PathOperand(Word(value, word.shape, word.value and value, word.span, word.features), "write")
    operands = _plain(argv[1:])
    for word in operands[:-1]:
        yield PathOperand(word, "read")
    for word in operands:
        yield PathOperand(word, "write")


def _find(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """The places `find` starts from, and the arguments of a few tests."""
    testing = ended = False
    for before, word in pairwise(argv):
        text = _spelled(word)
        if text == "--":
            ended = True
        elif FIND_FILES.fullmatch(_spelled(before)):
            yield PathOperand(word, "read")
        elif _is_option(text) and not ended:
            testing = testing or text not in ("-H", "-L", "-P")
        elif (ended or not testing) and not _is_option(text) and text not in ("(", ")", "!"):
            yield PathOperand(word, "read")


def _git(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """The operands of the subcommand behind git's own options; `-C` and `--work-tree` say where they start from."""
    at, start = 1, ""
    while at < len(argv) and _is_option(_spelled(argv[at])):
        flag, equals, value = _spelled(argv[at]).partition("=")
        at += 1
        if flag in GIT_VALUED and not equals and at < len(argv):
            value = _spelled(argv[at])
            at += 1
        if flag in ("-C", "--work-tree"):
            start = join(start, value)
    if at == len(argv):
        return
    name = f"git {_spelled(argv[at])}"
    found = _by_entry(name, argv[at + 1 :])
    if start and not found and name == "git grep":
        yield PathOperand(Word(start, Shape.STATIC, start, argv[at].span), "read")
    for operand in found:
        yield PathOperand(_moved(operand.word, start), operand.operation) if start else operand


def _moved(word: Word, start: str) -> Word:
    """A relative path as it looks from where the program was not started."""
    if _spelled(word).startswith(("/", "~")):
        return word
    text = join(start, _spelled(word))
    return Word(text, word.shape, text if word.value is not None else None, word.span, word.features)


def _man(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """A page with a slash or a tilde is a file."""
    for word in _plain(argv[1:]):
        if "/" in _spelled(word) or "~" in _spelled(word):
            yield PathOperand(word, "read")


def _sed(argv: Sequence[Word]) -> Iterator[PathOperand]:
    """The files of `sed`: read, and unless the script only prints lines by number, written."""
    printing = sed.is_print(argv)
    scripted = ended = False
    at = 1
    while at < len(argv):
        word = argv[at]
        text = _spelled(word)
        at += 1
        if ended or (scripted and not printing) or not _is_option(text):
            if scripted:
                yield PathOperand(word, "read")
                if not printing:
                    yield PathOperand(word, "write")
            scripted = True
        elif text == "--":
            ended = True
        elif text.startswith(("--expression=", "--file=")):
            scripted = True
        elif text == "--expression" or _SED_SCRIPT.fullmatch(text):
            scripted = True
            at += 1
        elif (text == "--file" or _SED_FILE.fullmatch(text)) and at < len(argv):
            yield PathOperand(argv[at], "read")
            yield PathOperand(argv[at], "write")
            scripted = True
            at += 1


_SED_SCRIPT = late(r"-[A-Za-z]*e")
_SED_FILE = late(r"-[A-Za-z]*f")

SPECIAL: Mapping[str, Callable[[Sequence[Word]], Iterable[PathOperand]]] = MappingProxyType(
    {"cd": _cd, "cp": _copy, "find": _find, "git": _git, "man": _man, "mv": _copy, "sed": _sed}
)
"""Programs with rules of their own."""
