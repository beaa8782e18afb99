"""The machine a session ran on, as far as its recording shows: two directories, perhaps of a Windows system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolaudit.model import ToolCall
from toolaudit.transcripts import RecordedCall

DEFAULT_ROOT = "/work/project"
"""Stands for the directory of a session that names none."""

_HOME = re.compile(r"/(?:home|Users)/[^/]+|/[a-z]/Users/[^/]+|/root")
_DRIVE = re.compile(r"([A-Za-z]):[\\/]")
_PATHS = ("file_path", "notebook_path", "path")


def directories(recorded: RecordedCall) -> tuple[str, str]:
    """The session's project and the shell's working directory, as absolute POSIX paths."""
    root = posix(recorded.root or recorded.cwd or DEFAULT_ROOT)
    cwd = posix(recorded.cwd or root)
    root = root if root.startswith("/") else DEFAULT_ROOT
    return root, cwd if cwd.startswith("/") else root


def home_of(root: str) -> str:
    """The home directory that `root` lies in, or one made up where it lies in none."""
    found = _HOME.match(root)
    return found.group() if found else "/home/user"


def posix(path: str) -> str:
    r"""A Windows path in the form that Git Bash and the client's rules give it: `D:\a\b` is `/d/a/b`."""
    found = _DRIVE.match(path)
    if not found:
        return path
    return f"/{found.group(1).lower()}/{path[found.end() :]}".replace("\\", "/").rstrip("/")


def on_posix(call: ToolCall) -> ToolCall:
    """The call with Windows paths in POSIX form; commands stay as they are."""
    changed: dict[str, Any] = {
        name: posix(value) for name, value in _path_inputs(call.input) if _DRIVE.match(value) is not None
    }
    return ToolCall(call.tool, {**call.input, **changed}, call.id) if changed else call


def _path_inputs(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, value) for name in _PATHS if isinstance(value := given.get(name), str)]
