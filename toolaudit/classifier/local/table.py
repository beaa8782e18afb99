"""The lines of all tables, and the rows of `commands.txt` and `paths.txt`: whether a command or a path fits one.

Each file says in its first lines what its columns mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from toolaudit.classifier.categories import CATEGORIES

Asked = tuple[frozenset[str], ...] | None

VALUED: Final[Mapping[str, frozenset[str]]] = {
    "aws": frozenset("--region --profile --output --endpoint-url".split()),
    "cargo": frozenset("--manifest-path --config -C".split()),
    "composer": frozenset("-d --working-dir".split()),
    "docker": frozenset("--context -H --host -f --file -p --project-name --project-directory --profile".split()),
    "docker-compose": frozenset("-f --file -p --project-name --project-directory --profile --env-file".split()),
    "gcloud": frozenset("--project --account --configuration".split()),
    "gh": frozenset("-R --repo --hostname".split()),
    "go": frozenset({"-C"}),
    "git": frozenset("-C -c --git-dir --work-tree --namespace".split()),
    "helm": frozenset("-n --namespace --kube-context --kubeconfig".split()),
    "kubectl": frozenset("--context -n --namespace --kubeconfig --cluster --user -s --server".split()),
    "just": frozenset("-f --justfile -d --working-directory".split()),
    "make": frozenset("-C -f --directory --file -I -j".split()),
    "npm": frozenset("--prefix -w --workspace -C".split()),
    "pnpm": frozenset("-C --dir --filter -F --prefix".split()),
    "poetry": frozenset("-C --directory -P --project".split()),
    "terraform": frozenset("-chdir".split()),
    "uv": frozenset("--directory --project -p --python --config-file".split()),
    "xcrun": frozenset("--sdk -sdk".split()),
    "yarn": frozenset("--cwd".split()),
}
"""Program -> its own options that take the next word and may stand before its subcommand."""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """One row of `commands.txt`."""

    category: str
    programs: frozenset[str]
    subcommands: tuple[frozenset[str], ...]
    needed: tuple[tuple[re.Pattern[str], ...], ...]
    """Of each set a word must be there."""
    absent: tuple[re.Pattern[str], ...]
    elsewhere: bool
    """It only counts where the call reaches beyond this machine."""
    asked: Asked
    why: str

    def fits(self, words: Sequence[str]) -> bool:
        """Whether a command with these words, its program's base name first, is one of those the row is about."""
        rest = self.rest(words)
        if rest is None:
            return False
        if any(_has(rest, pattern) for pattern in self.absent):
            return False
        return all(any(_has(rest, pattern) for pattern in patterns) for patterns in self.needed)

    def rest(self, words: Sequence[str]) -> list[str] | None:
        """The words without the program and its subcommands; None where those are others."""
        return after(words, [names.__contains__ for names in self.subcommands])


@dataclass(frozen=True, slots=True)
class PathRow:
    """One row of `paths.txt`."""

    category: str
    access: str
    pattern: str
    asked: Asked
    why: str

    def fits(self, path: str, access: str, home: str) -> bool:
        return self.access in ("any", access) and path_pattern(self.pattern, home).fullmatch(path) is not None


def after(words: Sequence[str], subcommands: Sequence[Callable[[str], object]]) -> list[str] | None:
    """The words behind the program and its subcommands, options before them included; None: those are others."""
    valued = VALUED.get(words[0], frozenset())
    options: list[str] = []
    at = 1
    for fits in subcommands:
        while at < len(words) and words[at].startswith(("-", "+")) and not fits(words[at]):
            taken = 2 if words[at] in valued else 1
            options += words[at : at + taken]
            at += taken
        if at >= len(words) or not fits(words[at]):
            return None
        at += 1
    return [*options, *words[at:]]


def _has(words: Sequence[str], pattern: re.Pattern[str]) -> bool:
    letter = pattern.pattern[-1] if re.fullmatch(r"\\-[A-Za-z]", pattern.pattern) else ""
    return any(
        pattern.fullmatch(word) is not None or (letter and letter in word and _is_bundle(word)) for word in words
    )


def _is_bundle(word: str) -> bool:
    return len(word) > 2 and word[0] == "-" and word[1:].isalpha()


@cache
def command_rows() -> Mapping[str, tuple[CommandRow, ...]]:
    """Program -> the rows about it. Raises ValueError for a row that is none."""
    rows: dict[str, tuple[CommandRow, ...]] = {}
    for cells in _rows("commands.txt", 6):
        category, command, needed, absent, asked, why = cells
        names = [frozenset(word.split("/")) for word in command.split()]
        row = CommandRow(
            category,
            names[0],
            tuple(names[1:]),
            tuple(tuple(map(_word, part.split())) for part in needed.split("&") if part.strip()),
            tuple(_word(word) for word in absent.split() if word != "{local}"),
            "{local}" in absent.split(),
            _asked(asked),
            why,
        )
        for program in row.programs:
            rows[program] = (*rows.get(program, ()), row)
    return rows


def rows_about(program: str) -> tuple[CommandRow, ...]:
    """The rows about a program, by its name and by what stands before its first dot: `mkfs.ext4` is a `mkfs`."""
    rows = command_rows()
    family = program.partition(".")[0]
    return (*rows.get(program, ()), *(rows.get(family, ()) if family != program else ()))


@cache
def path_rows() -> tuple[PathRow, ...]:
    """The rows about paths. Raises ValueError for a row that is none."""
    return tuple(
        PathRow(category, access, pattern, _asked(asked), why)
        for category, access, pattern, asked, why in _rows("paths.txt", 5)
    )


def lines(name: str) -> Sequence[tuple[int, str]]:
    """The rows of a table with their places; an indented line goes on with the one before it."""
    rows: list[tuple[int, str]] = []
    text = files("toolaudit.classifier.local").joinpath(name).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(" ") and rows:
            place, begun = rows.pop()
            rows.append((place, f"{begun}{'' if begun.endswith('/') else ' '}{line.strip()}"))
        elif line.strip() and not line.startswith("#"):
            rows.append((number, line))
    return rows


def _rows(name: str, width: int) -> Iterator[tuple[str, ...]]:
    for number, line in lines(name):
        cells = tuple(cell.strip() for cell in line.split("|"))
        if len(cells) != width or cells[0] not in CATEGORIES:
            raise ValueError(f"{name}:{number}: expected {width} columns that begin with a category, got {line!r}")
        yield cells


def _asked(text: str) -> Asked:
    return None if text == "never" else tuple(frozenset(group.split("/")) for group in text.split())


def _word(text: str) -> re.Pattern[str]:
    pieces = {"*": ".*", "?": ".", "_": r"\s+"}
    anywhere = re.IGNORECASE if text.startswith("*") and text.endswith("*") else re.NOFLAG
    return re.compile("".join(pieces.get(one) or re.escape(one) for one in text), re.DOTALL | anywhere)


@cache
def path_pattern(pattern: str, home: str) -> re.Pattern[str]:
    """`*` within a segment, `**/` any number of segments, `**` at the end whatever is below, `{a,b}` either."""
    text = re.escape(home) + pattern[1:] if pattern.startswith("~") else pattern
    start = len(re.escape(home)) if pattern.startswith("~") else 0
    out, at = [text[:start]], start
    while at < len(text):
        if text.startswith("**/", at):
            out.append("(?:.*/)?")
            at += 3
        elif text.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            pieces = {"*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}
            out.append(pieces.get(text[at]) or re.escape(text[at]))
            at += 1
    return re.compile("".join(out), re.DOTALL | re.IGNORECASE)
