"""The tables of what is known to be harmless: which row a command is in, or what about it is not known.

The rows stand in `harmless/*.txt`; `shell.txt` tells their columns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from toolaudit.classifier.local.table import after, lines

KINDS: Final = frozenset("look make run task get fetch query wrap out".split())
_DRY: Final = frozenset(
    {"--dry-run", "--dryrun", "--dry-run=client", "--dry-run=server", "--what-if", "--whatif", "-whatif"}
)
"""Options by which a known program only says what it would do."""
_ASKING: Final = frozenset({"--help", "--version", "-h", "-V", "-version", "help", "version"})


@dataclass(frozen=True, slots=True)
class Row:
    """One row: commands that are harmless, as far as their options and operands say."""

    kind: str
    subcommands: tuple[re.Pattern[str], ...]
    only: tuple[re.Pattern[str], ...]
    operands: bool
    """Whether `only` says something about operands too."""
    anything: bool
    """Whether any operand will do."""
    never: tuple[re.Pattern[str], ...]

    def objection(self, words: Sequence[str]) -> str | None:
        """What takes the words, which are of this row's command, out of it; empty: nothing; None: another command."""
        rest = after(words, [pattern.fullmatch for pattern in self.subcommands])
        if rest is None:
            return None
        for word in rest:
            if any(pattern.fullmatch(word) for pattern in self.never):
                return word
        if not self.only and not self.operands:
            return ""
        for word in rest:
            dashed = word.startswith(("-", "+")) and word != "-"
            if (dashed or (self.operands and not self.anything)) and not self._knows(word):
                return word
        return ""

    def _knows(self, word: str) -> bool:
        return any(pattern.fullmatch(word) for pattern in self.only)


@dataclass(frozen=True, slots=True)
class Known:
    """What the tables say of a command."""

    kind: str
    """Empty: it is not known to be harmless."""
    why: str = ""
    """Then: what about it is not known."""
    verb: str = ""
    """Then: the word of the command that a user would use to ask for it, if there is one."""


def known(words: Sequence[str], *, starts: bool) -> Known:
    """The first row that a command with these words is in, its program's base name first.

    `starts`: it starts another command, which is looked at by itself.
    """
    program = words[0]
    rows = _rows().get(program, ())
    asks = len(words) <= 4 and words[-1] in _ASKING
    if not rows:
        if asks and len(words) == 2:
            return Known("look")
        return Known("", f"{program} is not a program known to be harmless")
    objection, deepest, kind = "", -1, ""
    for row in rows:
        found = row.objection(words)
        if row.kind == "out":
            if found:
                return Known("", f"{program} with {found} is not known to be harmless", found)
        elif found == "" and (row.kind != "wrap" or starts):
            kind = "wrap" if row.kind == "wrap" else kind or row.kind
        elif found and len(row.subcommands) > deepest:
            objection, deepest = found, len(row.subcommands)
    if kind or asks or (_DRY & set(words) and deepest < 0) or (_DRY & set(words) and objection in _DRY):
        return Known(kind or "look")
    if deepest >= 0:
        plain = " ".join(words[: deepest + 1])
        return Known("", f"{plain} with {objection} is not known to be harmless", objection)
    spelled = " ".join(words[:2]) if len(words) > 1 else f"{program} alone"
    return Known(
        "", f"{spelled} is not known to be harmless", next((word for word in words[1:] if not word.startswith("-")), "")
    )


def programs() -> Set[str]:
    """The programs that a row is about."""
    return _rows().keys()


@cache
def _rows() -> Mapping[str, tuple[Row, ...]]:
    """Program -> its rows, in the order of the files. Raises ValueError for a row that is none."""
    rows: dict[str, list[Row]] = {}
    folder = files("toolaudit.classifier.local").joinpath("harmless")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        for number, line in lines(f"harmless/{file.name}"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) not in (2, 4) or cells[0] not in KINDS or not cells[1]:
                raise ValueError(f"{file.name}:{number}: expected 2 or 4 columns that begin with a kind, got {line!r}")
            programs, row = _row(cells)
            for program in programs:
                rows.setdefault(program, []).append(row)
    return {program: tuple(found) for program, found in rows.items()}


def _row(cells: Sequence[str]) -> tuple[frozenset[str], Row]:
    kind, command, only, never = (*cells, "", "")[:4]
    names = [frozenset(word.split("/")) for word in command.split()]
    words = only.split()
    known_words = tuple(map(_pattern, (word for word in words if word not in ("{any}", "{none}"))))
    operands = "{none}" in words or any(not word.startswith(("-", "{")) for word in words)
    return names[0], Row(
        kind,
        tuple(re.compile("|".join(_pattern(word).pattern for word in name)) for name in names[1:]),
        known_words,
        operands,
        "{any}" in words,
        tuple(map(_pattern, never.split())),
    )


def _pattern(text: str) -> re.Pattern[str]:
    """`*` stands for anything, `#` for a number, `_` for itself or a blank."""
    pieces = {"*": ".*", "#": r"\d+", "_": r"[\s_]"}
    return re.compile("".join(pieces.get(one) or re.escape(one) for one in text), re.DOTALL)
