"""Commands that a statement hands to another shell as text. They are looked into for refusing only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.patterns import late
from toolaudit.permissions.powershell.aliases import suspected
from toolaudit.permissions.powershell.reader import read
from toolaudit.permissions.powershell.statement import Statement
from toolaudit.structs import Struct

MAX_DEPTH: Final = 3

_CMD_SWITCH: Final = late(r"/[ckCK]")
_COMMAND: Final = late(r"-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?\Z", re.IGNORECASE)


class Suspect(Struct):
    """A statement that a text runs, or may run."""

    statement: Statement
    by_cmd: bool = False
    """The command interpreter of Windows runs it, not PowerShell."""
    depth: int = 0


def suspects(statements: Sequence[Statement]) -> tuple[Suspect, ...]:
    """The statements of a text, and those of texts they start another shell with."""
    return tuple(_suspects(statements, by_cmd=False, depth=0))


def _suspects(statements: Sequence[Statement], *, by_cmd: bool, depth: int) -> Iterator[Suspect]:
    for statement in statements:
        if not statement.words:
            continue
        yield Suspect(statement, by_cmd, depth)
        name = suspected(statement.name)
        script = _script(statement, name) if depth < MAX_DEPTH else None
        if script:
            yield from _suspects(read(script).statements, by_cmd=name == "cmd", depth=depth + 1)


def _script(statement: Statement, name: str) -> str | None:
    values = [word.value for word in statement.words[1:]]
    if name == "invoke-expression":
        return " ".join(value for value in values if not value.lower().startswith("-c"))
    if name == "cmd":
        for at, value in enumerate(values):
            if _CMD_SWITCH.match(value):
                return " ".join([value[2:], *values[at + 1 :]]).replace("^", "")
    if name in ("powershell", "pwsh"):
        for at, value in enumerate(values):
            if _COMMAND.match(value):
                return " ".join(values[at + 1 :])
        return " ".join(values) if values and not values[0].startswith("-") else None
    return None
