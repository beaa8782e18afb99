r"""Removals that no mode lets through.

    denied    `/`, a drive root, a direct child of either; what is below `\Windows` or `\Program Files`; the home
              directory; any target that is `*` or ends in `/*` or `\*`
    approval  the working directory or one above it: acceptEdits does not approve it, bypassPermissions does

The documents (3.4) name these kinds and no list of system paths; it is that of the Bash check, and what belongs to
Windows itself. What `cmd /c rd`, `rmdir`, `del` and `erase` remove is held to the list of system paths.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.model import ReasonType
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.powershell.aliases import suspected
from toolaudit.permissions.powershell.binding import Binding, bind
from toolaudit.permissions.powershell.nested import Suspect
from toolaudit.permissions.powershell.places import plain

CMD_COMMANDS: Final = frozenset({"rd", "rmdir", "del", "erase"})

SYSTEM_TREES: Final = frozenset({"windows", "program files", "program files (x86)"})
"""Directories in the root of a drive that are system paths with all they hold."""

_DRIVE_ROOT: Final = late(r"\w+:[\\/]*")
_CMD_SWITCH: Final = late(r"/[A-Za-z](?::\S*)?")


def find(suspects: Sequence[Suspect], directories: Sequence[str], workspace: Workspace) -> Objection | None:
    """The first removal in a text that is denied in every mode; `directories` are those the text may be run in."""
    for suspect in suspects:
        for target in _targets(suspect):
            why = _critical(target, suspect.by_cmd, directories, workspace)
            if why is not None:
                return Objection(
                    f"`{suspect.statement.name}` on {target}, {why}",
                    ReasonType.SAFETY_CHECK,
                    classifier_approvable=False,
                    subject=suspect.statement.text,
                    hook_liftable=False,
                )
    return None


def needs_approval(binding: Binding, directories: Sequence[str], workspace: Workspace) -> str | None:
    """Why a Remove-Item needs approval though its target is in scope: the working directory is below it."""
    for operand in binding.operands:
        path = plain(operand.text, workspace)
        if path is None:
            continue
        for directory in directories:
            full = _absolute(path, directory, workspace)
            if _is_above(full, workspace.cwd):
                return f"{operand.text} is the working directory or above it"
    return None


def _targets(suspect: Suspect) -> Iterator[str]:
    statement = suspect.statement
    if suspect.by_cmd:
        if statement.name.lower() in CMD_COMMANDS:
            yield from (word.value for word in statement.words[1:] if not _CMD_SWITCH.fullmatch(word.value))
        return
    if suspected(statement.name) == "remove-item":
        binding = bind(statement, "remove-item")
        assert binding is not None, "the table has Remove-Item"
        yield from (operand.text for operand in binding.operands)


def _critical(target: str, by_cmd: bool, directories: Sequence[str], workspace: Workspace) -> str | None:
    if not by_cmd and _is_everything(target):
        return "everything in a directory"
    if _DRIVE_ROOT.fullmatch(target):
        return "the root of a drive"
    path = plain(target, workspace)
    if path is None:
        return None
    found = (_critical_path(_absolute(path, directory, workspace), workspace) for directory in directories)
    return next(filter(None, found), None)


def _is_everything(target: str) -> bool:
    name = target.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return set(name) == {"*"}


def _critical_path(path: str, workspace: Workspace) -> str | None:
    segments = path.lower().split("/")[1:]
    on_drive = len(segments[0]) == 1
    if path == workspace.home or (on_drive and path.lower() == workspace.home.lower()):
        return "the home directory"
    below = segments[1:] if on_drive else segments
    return "a system path" if len(below) <= 1 or below[0] in SYSTEM_TREES else None


def _absolute(path: str, directory: str, workspace: Workspace) -> str:
    if path == "~" or path.startswith("~/"):
        path = workspace.home + path[1:]
    full = posixpath.normpath(posixpath.join(directory, path))
    return full[1:] if full.startswith("//") else full


def _is_above(path: str, cwd: str) -> bool:
    return (cwd + "/").startswith(path.rstrip("/") + "/")
