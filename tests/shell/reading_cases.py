"""The plain-text cases of the shell reader, which anyone can add to.

    === name of the case
    text of the command, any number of lines; a JSON string if the name ends in "(json)"
    ---
    expected reading, a line for each command
    ===

In the reading a word known before the command runs is written as it is, in JSON quotes where it holds a blank, a
quote or nothing; `?` is exactly one word not known, `*` any number of them. Assignments, redirections and context
follow in braces: `git push {> f} {2>& 1} {x= ?} {in pipeline}`; the body of a here-document stands in JSON quotes.
Above the commands, `! reason construct` says why the text can't be read (the commands are then a best effort and not
listed), and `~ reason construct` that bash evaluates something at run time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from toolaudit.shell import Reading, Redirect, Shape, SimpleCommand, Word

CASES = Path(__file__).parent / "cases"

BARE = re.compile(r"[^\s\"'?*{}]+")


@dataclass(frozen=True, slots=True)
class Case:
    file: str
    name: str
    text: str
    expected: str

    @property
    def id(self) -> str:
        return f"{self.file}: {self.name}"


def load() -> list[Case]:
    """All cases of all files."""
    return [case for path in sorted(CASES.glob("*.txt")) for case in parse(path.stem, path.read_text())]


def parse(file: str, text: str) -> Iterator[Case]:
    """The cases of one file. Raises ValueError where one is not complete."""
    for block in text.split("\n==="):
        name, newline, rest = block.removeprefix("===").partition("\n")
        if not newline or not name.strip():
            continue
        command, separator, expected = rest.partition("\n---\n")
        if not separator:
            raise ValueError(f"{file}: case {name.strip()!r} has no line ---")
        source = json.loads(command) if name.rstrip().endswith("(json)") else command
        yield Case(file, name.strip(), source, expected.strip("\n"))


def render(reading: Reading) -> str:
    """A reading in the notation of the cases."""
    if not reading.exact and reading.complexity is not None:
        return f"! {reading.complexity.reason} {reading.complexity.construct}"
    evaluations = [f"~ {one.reason} {one.construct}" for one in reading.evaluations]
    return "\n".join(evaluations + [_command(command) for command in reading.commands])


def _command(command: SimpleCommand) -> str:
    parts = [_word(word) for word in command.argv]
    for assignment in command.assignments:
        value = _word(assignment.value) if assignment.value is not None else ""
        parts.append(f"{{{assignment.name}{assignment.operator} {value}}}")
    parts += [_redirect(redirect) for redirect in command.redirects]
    if command.context:
        parts.append(f"{{in {' '.join(command.context)}}}")
    return " ".join(parts)


def _word(word: Word) -> str:
    if word.value is None:
        return "*" if word.shape is Shape.MANY else "?"
    if word.value.isprintable() and BARE.fullmatch(word.value):
        return word.value
    return json.dumps(word.value, ensure_ascii=not word.value.replace("\n", "").isprintable())


def _redirect(redirect: Redirect) -> str:
    descriptor = "" if redirect.descriptor is None else redirect.descriptor
    return f"{{{descriptor}{redirect.operator} {_word(redirect.target)}}}"
