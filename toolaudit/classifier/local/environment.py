"""Variables that a command sets for a program: harmless by the table `variables.txt`, or the project's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.local import strangers
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

_SETTERS: Final = frozenset({"export", "env", "declare", "typeset", "cross-env"})
_CLASSES: Final = {
    "{flag}": r"(?:0|1|true|false|yes|no|on|off|)",
    "{word}": r"[\w.,:=+@%*-]*(?: [\w.,:=+@%*-]+)*",
    "{name}": r"\w[\w-]*",
    "{any}": r".*",
    "{none}": "",
    "{inside}": r"(?:\$(?:PWD|\{PWD\}|\(pwd\))/?)?(?!/|~|\$)(?!.*(?:\.\./|:/|:~)).*",
}
_EVERYWHERE: Final = ("PATH", "LD_", "DYLD_", "BASH_", "IFS", "HOME")
_UNSAFE = late(r"\$\((?!pwd|date|git |nproc|mktemp)|`")


@dataclass(frozen=True, slots=True)
class _Row:
    """Names of variables, the values with which they are harmless (None: there are none), and what else it is about."""

    names: re.Pattern[str]
    values: re.Pattern[str] | None
    category: str


def find(start: Start, context: Context) -> Iterator[Concern]:
    """What of the variables that are set for a command is not known to be harmless."""
    for name, value in assigned(start):
        value = value.strip("\"'")
        row = next((row for row in _rows() if row.names.fullmatch(name)), None)
        if row is None:
            strange = strangers.unknown(value, context)
            if strange:
                why = f"{name} points at {min(strange)}"
                yield Concern("supply-chain", why, NAMED, strange, any_verb=True)
            elif _UNSAFE.search(value):
                yield Concern("opaque", f"what {name} is set to can't be told", NAMED, frozenset({name}), any_verb=True)
        elif row.values is None or row.values.fullmatch(value) is None:
            why = f"{name}={value} is not known to be harmless"
            subjects = frozenset({f"{name}={value}", f"{name} {value}"})
            yield Concern(row.category, why, NAMED, subjects, any_verb=True)


def assigned(start: Start) -> Iterator[tuple[str, str]]:
    """The variables that a command sets for itself or for what comes after it."""
    # Without a command behind it, it is a variable of the shell's own, unless all programs have it.
    yield from (one for one in start.assignments if start.words or one[0].startswith(_EVERYWHERE))
    if start.program in _SETTERS:
        for word in start.words[1:]:
            name, equals, value = word.partition("=")
            if equals and name.isidentifier():
                yield name, value
            elif start.program == "env" and not word.startswith("-"):
                return


@cache
def _rows() -> tuple[_Row, ...]:
    """The rows of the table. Raises ValueError for one that is none."""
    rows = []
    for number, line in lines("variables.txt"):
        names, values, category = (*(cell.strip() for cell in line.split("|")), "supply-chain")[:3]
        if not (names and values and category in CATEGORIES) or line.count("|") > 2:
            raise ValueError(f"variables.txt:{number}: expected names | values | category, got {line!r}")
        never = values == "{none}"
        rows.append(_Row(_any(names), None if never else _any(values, several=True), category))
    return tuple(rows)


def _any(words: str, *, several: bool = False) -> re.Pattern[str]:
    """One of the words; `several`: or some of them, with blanks between."""
    either = "|".join(map(_pattern, words.split()))
    return re.compile(f"(?:{either})(?: +(?:{either}))*" if several else either, re.DOTALL)


def _pattern(word: str) -> str:
    for name, pattern in _CLASSES.items():
        if word.endswith(name):
            return re.escape(word[: -len(name)]) + pattern
        if word.startswith(f"{name}:"):
            return pattern + re.escape(word[len(name) :])
    pieces = {"*": ".*", "#": r"\d+", "_": r"[ _]"}
    return "".join(pieces.get(one) or re.escape(one) for one in word)
