"""Other arguments that mean the same to the program: its path, its options, its paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.facts import Fact, about
from toolaudit.fuzz.meaning import looks_like_path
from toolaudit.fuzz.rewrites.command import Command, Rewrite, quote


class Arguments(Rewrite, base=True):
    """Replaces words of the command where it is still written plainly; bash starts something that means the same."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if len(command.pieces) != len(command.argv):
            return None
        argv = self.changed(command.argv, chance)
        if argv is None or argv == command.argv:
            return None
        return replace(command, argv=argv, pieces=tuple(quote(word) for word in argv))

    def changed(self, argv: tuple[str, ...], chance: Chance) -> tuple[str, ...] | None:
        raise NotImplementedError


class ProgramPath(Arguments):
    """A program may be named by its path instead of being looked up; where that leads is not written one way only."""

    form = "/bin/{}"

    def changed(self, argv: tuple[str, ...], chance: Chance) -> tuple[str, ...] | None:
        return None if "/" in argv[0] or not argv[0] else (self.form.format(argv[0]), *argv[1:])


class UserProgramPath(ProgramPath):
    """Most programs lie in /usr/bin, which /bin is a link to."""

    form = "/usr/bin/{}"


class DoubledSlash(ProgramPath):
    """Slashes in a row count as one."""

    form = "//bin/{}"


class DotSegment(ProgramPath):
    """A segment . stays where it is."""

    form = "/bin/./{}"


class ParentSegment(ProgramPath):
    """A segment .. goes one up."""

    form = "/usr/../bin/{}"


class FileSpelling(Arguments, base=True):
    """The paths among the arguments, written another way."""

    def changed(self, argv: tuple[str, ...], chance: Chance) -> tuple[str, ...] | None:
        places = [at for at, word in enumerate(argv) if at and looks_like_path(word)]
        if not places:
            return None
        at = chance.choose(places)
        return (*argv[:at], self.respell(argv[at]), *argv[at + 1 :])

    def respell(self, path: str) -> str:
        raise NotImplementedError


class FileBesideDetour(FileSpelling):
    """a/../b is b, if a is a directory."""

    def respell(self, path: str) -> str:
        head, tail = posixpath.split(path)
        return posixpath.join(head, "a", "..", tail) if head else f"./a/../{tail}"


class FileBesideDot(FileSpelling):
    """./b is b, and so is a/./b in a."""

    def respell(self, path: str) -> str:
        head, tail = posixpath.split(path)
        return posixpath.join(head or ".", ".", tail)


class FileBehindSlashes(FileSpelling):
    """Slashes in a row count as one here too."""

    def respell(self, path: str) -> str:
        head, tail = posixpath.split(path)
        return f"{head or '.'}//{tail}"


class GlobalOption(Arguments):
    """Options before a subcommand leave it what it is: see the rows `global`."""

    def changed(self, argv: tuple[str, ...], chance: Chance) -> tuple[str, ...] | None:
        rows = [row for row in about(argv[0]) if row.how == "global"]
        if not rows:
            return None
        return (argv[0], *_global_option(rows[0], chance), *argv[1:])


def global_options(argv: tuple[str, ...]) -> Iterator[Command]:
    """`argv` with each of its program's options before the subcommand, one at a time."""
    for row in about(argv[0]):
        for option in sorted(row.flags | row.values) if row.how == "global" else ():
            value = (_VALUES.get(option, "."),) if option in row.values else ()
            changed = Command.plain((argv[0], option, *value, *argv[1:]))
            yield replace(changed, target=argv, rewrites=(GlobalOption.name,))


_VALUES = {
    "-c": "user.name=x",
    "--git-dir": ".git",
    "-H": "unix:///var/run/docker.sock",
    "-j": "2",
    "--log-level": "info",
}


def _global_option(row: Fact, chance: Chance) -> tuple[str, ...]:
    option = chance.choose(sorted(row.flags | row.values))
    if option in row.flags:
        return (option,)
    value = _VALUES.get(option, ".")
    return (f"{option}={value}",) if option.startswith("--") and chance.happens(50) else (option, value)


class Options(Arguments, base=True):
    """The options of a program with a row `synonyms`."""

    def changed(self, argv: tuple[str, ...], chance: Chance) -> tuple[str, ...] | None:
        rows = [row for row in about(argv[0]) if row.how == "synonyms" and row.subcommand in (None, *argv[1:2])]
        head = 2 if rows and rows[0].subcommand else 1
        if not rows or "--" in argv:
            return None
        rest = self.rearranged(argv[head:], rows[0])
        return None if rest is None else (*argv[:head], *rest)

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        raise NotImplementedError


class SplitOptions(Options):
    """-rf is -r -f."""

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        if not row.clusters:
            return None
        return tuple(part for word in words for part in _letters(word))


class ReversedOptions(Options):
    """-rf is -fr."""

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        if not row.clusters:
            return None
        return tuple("-" + word[:0:-1] if len(_letters(word)) > 1 else word for word in words)


class OtherNames(Options):
    """Most short options have a long name, and some another short one."""

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        names: dict[str, str] = {}
        for name, first in row.synonyms.items():
            names.setdefault(name, first)
            names.setdefault(first, name)
        return tuple(names.get(part, part) for word in words for part in (_letters(word) if row.clusters else (word,)))


class OperandsFirst(Options):
    """Options may stand behind operands."""

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        if not row.clusters:
            return None
        return (*(word for word in words if word[:1] != "-"), *(word for word in words if word[:1] == "-"))


class DoubleDash(Options):
    """-- ends the options."""

    def rearranged(self, words: tuple[str, ...], row: Fact) -> tuple[str, ...] | None:
        at = next((at for at, word in enumerate(words) if not word.startswith("-")), None)
        if at is None or any(word.startswith("-") for word in words[at:]):
            return None
        return (*words[:at], "--", *words[at:])


def _letters(word: str) -> tuple[str, ...]:
    return tuple(f"-{letter}" for letter in word[1:]) if re.fullmatch(r"-[A-Za-z]{2,}", word) else (word,)
