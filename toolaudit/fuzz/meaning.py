from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from toolaudit.fuzz.facts import Argv, Fact, about, base_name, first_operand
from toolaudit.shell.reading import SimpleCommand


def static_words(command: SimpleCommand) -> Argv | None:
    """The words of a command as read, where all of them are known."""
    values = tuple(word.value for word in command.argv if word.value is not None)
    return values if len(values) == len(command.argv) else None


def looks_like_path(word: str) -> bool:
    """Whether a word has a slash or a dot in it, and nothing that a plain path has not."""
    return bool(re.fullmatch(r"[\w./-]*[./][\w.-]*\w", word)) and not word.startswith("-")


def canonical(argv: Sequence[str]) -> tuple[Argv, frozenset[str]]:
    """The meaning of `argv` by the rows: its operands in order, and the set of its options by their first names.

    Paths are compared as text, `a/..` taken out: that is their meaning where `a` is a directory and no link.
    """
    words = (base_name(argv[0]), *argv[1:])
    for fact in about(words[0]):
        if fact.how == "global":
            words = (words[0], *words[first_operand(words, 1, fact.flags, fact.values) :])
    rows = [row for row in about(words[0]) if row.how == "synonyms" and row.subcommand in (None, *words[1:2])]
    operands = [words[0]]
    options: set[str] = set()
    only_operands = False
    for word in words[1:]:
        if word == "--" and not only_operands:
            only_operands = True
        elif only_operands or not word.startswith("-") or word == "-" or not rows:
            operands.append(posixpath.normpath(word) if looks_like_path(word) else word)
        else:
            options.update(_first_names(word, rows[0]))
    return tuple(operands), frozenset(options)


def _first_names(option: str, row: Fact) -> list[str]:
    letters = [f"-{letter}" for letter in option[1:]] if row.clusters and re.fullmatch(r"-[A-Za-z]+", option) else []
    return [row.synonyms.get(name, name) for name in letters or [option]]
