"""Which variables a text sets for what follows in it, and whether that speaks against the text.

Every row is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

from toolaudit.permissions.bash.variables import (
    INFLUENTIAL_VARIABLES,
    LOCALES,
    NUMBERS,
    SAFE_VARIABLES,
    STAYING_VARIABLES,
    safely_set,
)
from toolaudit.shell.reading import Assignment, Reading, Word

EXPORTED = SAFE_VARIABLES | NUMBERS | LOCALES
"""Variables that may be exported beside commands which no rule allows."""

GUARDED_VARIABLES = INFLUENTIAL_VARIABLES - {"PS4"} | {"CDPATH", "HISTFILE", "LANG", "LANGUAGE"}
GUARDED_PREFIXES = ("LD_", "DYLD_", "LC_")
"""Variables that an older client let nobody set (measured); it let a rule for what follows allow the others."""

SETTERS = frozenset({"declare", "typeset", "local", "readonly"})
NAMING_OPTIONS: Mapping[str | None, str] = MappingProxyType({"printf": "-v", "wait": "-p"})
"""Builtin -> its option that names a variable to set."""


def variables_set(reading: Reading) -> bool:
    """Whether the text sets a variable that later commands could see and that is not safe to set.

    An assignment before a command is that command's own; a bare one and a loop variable stay.
    """
    for command in reading.commands:
        if not command.argv:
            listless = "for" in command.context and not command.assignments and not command.redirects
            if listless or not all(map(_may_stay, command.assignments)):
                return True
        elif _sets(command.argv):
            return True
    return False


def exports(reading: Reading) -> bool:
    """Whether the text exports a variable, with a value, that is not safe to give a command."""
    return any(
        "=" in word.text and word.text.partition("=")[0] not in EXPORTED
        for command in reading.commands
        if command.argv and command.argv[0].value == "export"
        for word in command.argv[1:]
    )


def _may_stay(assignment: Assignment) -> bool:
    """Whether what follows may see the variable; one that counts must be given a number."""
    if assignment.name in NUMBERS:
        value = assignment.value.text if assignment.value is not None else ""
        return safely_set(assignment.name, value)
    return assignment.name in STAYING_VARIABLES


def guarded_variable_set(reading: Reading) -> bool:
    """Whether the text sets a variable, for what follows, that changes what programs are or do."""
    return any(
        "[" in assignment.name
        or assignment.name in GUARDED_VARIABLES
        or assignment.name.startswith(GUARDED_PREFIXES)
        or (assignment.name in NUMBERS and not _may_stay(assignment))
        for command in reading.commands
        if not command.argv
        for assignment in command.assignments
    )


def _sets(words: Sequence[Word]) -> bool:
    """Whether a builtin sets a variable that is not safe to set: `export` counts as its own command (measured)."""
    name = words[0].value
    operands = [word.text for word in words[1:] if not word.text.startswith("-")]
    if name in SETTERS:
        names = [operand.partition("=")[0] for operand in operands if "=" in operand]
    elif name == "read":
        names = operands
    elif name == "getopts":
        names = operands[1:2]
    elif name in NAMING_OPTIONS:
        names = list(_named_by_option(words, NAMING_OPTIONS[name]))
    else:
        return False
    return not STAYING_VARIABLES.issuperset(names)


def _named_by_option(words: Sequence[Word], option: str) -> Iterator[str]:
    """What the options before the first operand name as the variable to set."""
    for word, following in zip_longest(words[1:], words[2:]):
        text = word.value or ""
        if not text.startswith("-") or text == "--":
            return
        if text == option:
            yield following.text if following is not None else ""
            return
        if text.startswith(option):
            yield text.removeprefix(option)
            return
