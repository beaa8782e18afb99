"""What can be told of variables before a text runs: those it sets itself, once, and the home directory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash import refusals
from toolaudit.shell import Reading, SimpleCommand

SETTERS = frozenset({"declare", "export", "local", "readonly", "typeset", "unset"})

_SETTING = late(r"([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)
_VARIABLE = late(r"\$(?:\{(HOME)\}|(\w+))")
_QUOTES = late(r"""["']|\\(?=.)""")
_DIRECTORY = late(
    r"""
    "? (?: \$\( | ` ) \s*
    (?: cd (?: [ \t]+ (?: "[^"]*" | [^\s"';|&<>`()]+ ) )* [ \t]*
        (?: [;\n] | \|\|? | &(?!&) | &?> [^;|&\n`()]* (?: [;\n] | && ) ) \s*
    )*
    (?: pwd | git[ ]rev-parse ) (?: [\s;|&] [^`()]* )? (?: \) | ` ) "?
    """,
    re.VERBOSE,
)
"""A value that a command prints which is taken for the directory it runs in: that of `cd x; pwd`, not of `cd x && pwd`.

INVARIANT: each part of a `cd` is matched in one way only, as it is repeated.
"""


def told(reading: Reading, workspace: Workspace | None) -> Mapping[str, str]:
    """Variable -> value; nothing is told of a text with constructs that hide what is set (measured).

    Without `workspace` nothing is told of directories.
    """
    known = {"HOME": workspace.home} if workspace is not None else {}
    if not any(map(_sets, reading.commands)):
        return known
    if refusals.refuse(reading, (), (*refusals.TEXT_CHECKS, refusals.context, refusals.piped_variables)) is not None:
        return known
    found: dict[str, str | None] = {}
    for command in reading.commands:
        for name, text in _settings(command):
            found[name] = None if name in found or text is None else _value(text, found, workspace)
    return {name: value for name, value in found.items() if value is not None} | known


def expand(text: str, values: Mapping[str, str]) -> str | None:
    """`text` with the variables that are known put in, quotes left out; None where one of them is not known."""
    known = True

    def value(match: re.Match[str]) -> str:
        nonlocal known
        found = values.get(match[1] or match[2])
        known = known and found is not None
        return found or ""

    expanded = _VARIABLE.sub(value, text)
    return plain(expanded) if known and "$" not in expanded and "`" not in expanded else None


def plain(text: str) -> str:
    """`text` without quotes and escapes."""
    return _QUOTES.sub("", text)


def _value(text: str, found: Mapping[str, str | None], workspace: Workspace | None) -> str | None:
    if "~" in text:
        return None
    directories = {"HOME": workspace.home, "PWD": workspace.cwd} if workspace is not None else {}
    if _DIRECTORY.fullmatch(text):
        return directories.get("PWD")
    known = {name: value for name, value in found.items() if value is not None}
    return expand(text, {**known, **directories})


def _sets(command: SimpleCommand) -> bool:
    return bool(command.assignments) if not command.argv else command.argv[0].value in SETTERS


def _settings(command: SimpleCommand) -> Iterator[tuple[str, str | None]]:
    """The variables a command sets for what follows, each with its value as written where that is one."""
    if not command.argv:
        for assignment in command.assignments:
            plainly = assignment.operator == "=" and "for" not in command.context
            yield assignment.name, assignment.value.text if plainly and assignment.value is not None else None
    elif command.argv[0].value in SETTERS:
        for word in command.argv[1:]:
            match = _SETTING.fullmatch(word.text)
            if match is not None:
                yield match[1], match[2]
