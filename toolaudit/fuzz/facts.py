"""What programs do with their arguments, as rows of corpora/programs.jsonl: which other program they start, and which
other arguments mean the same to them.

Each row has an `id`, the `program`, a `fact` in one sentence, and `how`:

    wrapper    starts the words after its own options (`flags`; `values` take a further word), `verbs` (with | between
               those that will do), a number of `operands`, and where it says so `assignments`; `feeds`: appends words
               of its input. `before` and `after` are an example.
    primary    starts the words between one of `options` and one of `ends`
    shell      gives the word after `option` to a shell; `operands` words may stand before it
    template   starts what stands in a hole of `words`: {shell} text for a shell, {words} words that the program splits
               at blanks, {argv:json} a list of words; after the colon, how the program's language quotes. {any:x} is
               a word that may be another one.
    input      runs its standard input as shell text
    reads      prints the file that stands for {path} in `words`
    writes     writes to it
    global     `flags` and `values` before the subcommand do not change which it is
    synonyms   options with two names; where `clusters` is set, single letters may share a word

`check` is true where a test runs the real program, if it is installed, to see that the row holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from toolaudit.fuzz import corpus

Argv = tuple[str, ...]

STANDARD_DIRECTORIES = frozenset(("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/lib64"))
"""Where the program of a name is found by an ordinary PATH."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One row."""

    id: str
    program: str
    how: str
    fact: str
    check: bool = False
    before: Argv = ()
    after: Argv = ()
    verbs: Argv = ()
    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    operands: int = 0
    assignments: bool = False
    feeds: bool = False
    options: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    option: str = ""
    words: Argv = ()
    subcommand: str | None = None
    synonyms: Mapping[str, str] = field(default_factory=dict, hash=False)
    clusters: bool = False


@cache
def facts() -> tuple[Fact, ...]:
    """All rows. Raises ValueError where one is malformed."""
    return tuple(_fact(line) for line in corpus.read("programs.jsonl").splitlines())


def _fact(line: str) -> Fact:
    row = json.loads(line)
    for name in ("before", "after", "words", "verbs"):
        row[name] = tuple(row.get(name, ()))
    for name in ("flags", "values", "options", "ends"):
        row[name] = frozenset(row.get(name, ()))
    try:
        return Fact(**row)
    except TypeError as error:
        raise ValueError(f"expected the fields of a fact, got {line}: {error}") from None


@cache
def _by_program() -> Mapping[str, tuple[Fact, ...]]:
    rows: dict[str, list[Fact]] = {}
    for fact in facts():
        rows.setdefault(fact.program, []).append(fact)
    return {program: tuple(found) for program, found in rows.items()}


def about(program: str) -> tuple[Fact, ...]:
    """The rows of a program, looked up by its base name where it lies in a standard directory."""
    return _by_program().get(base_name(program), ())


def base_name(program: str) -> str:
    """`/usr/bin/rm`, `//bin/rm` and `/bin/../bin/rm` are the program `rm`; a path elsewhere stays what it is."""
    if "/" not in program:
        return program
    parts: list[str] = []
    for part in program.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    if not program.startswith("/") or "/" + "/".join(parts[:-1]) not in STANDARD_DIRECTORIES:
        return program
    return parts[-1]


def first_operand(argv: Argv, at: int, flags: frozenset[str], values: frozenset[str]) -> int:
    """The index of the first word that is neither an option nor an option's value."""
    while at < len(argv):
        word = argv[at]
        if word in values:
            at += 2
        elif word == "--":
            return at + 1
        elif word in flags or any(_attached(word, option) for option in values):
            at += 1
        else:
            return at
    return at


def _attached(word: str, option: str) -> bool:
    """Whether `word` is `option` with its value in the same word: -n5, --signal=KILL."""
    return word.startswith(option + "=" if option.startswith("--") else option) and word != option
