from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolaudit.model import Scope
from toolaudit.settings.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS: Final = ".claude/settings.json"
LOCAL_SETTINGS: Final = ".claude/settings.local.json"


def locate(path: Path, scope: Scope = Scope.PROJECT) -> dict[Scope, Path]:
    """The settings files that `path` stands for, by scope.

    A directory is a project: its `.claude/settings.json` and `.claude/settings.local.json`, as far as they are there.
    Anything else is one settings file, of `scope`; unless told otherwise that of a project, which may grant the least.
    Raises SettingsError for a directory with neither file: a policy of nothing would hide a wrong path.
    """
    if not path.is_dir():
        return {scope: path}
    found = {
        scope: path / name
        for scope, name in ((Scope.PROJECT, SETTINGS), (Scope.LOCAL, LOCAL_SETTINGS))
        if (path / name).exists()
    }
    if not found:
        raise SettingsError(
            f"expected {SETTINGS} or {LOCAL_SETTINGS} in the directory, got neither",
            help="name a project directory or a settings file",
            file=str(path),
        )
    return found
