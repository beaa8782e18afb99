"""The machine a session ran on, as far as its recording shows: two directories, perhaps of a Windows system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolaudit.model import ToolCall
from toolaudit.rules.grammar import ALIASES
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


def of_today(call: ToolCall) -> ToolCall:
    """The call as today's client on this system would be asked: the tool by its present name, Windows paths as POSIX.

    Commands stay as they are. Tools that are gone without a successor keep their names.
    """
    tool = ALIASES.get(call.tool, call.tool)
    given: Mapping[str, Any] = call.input
    for name in _PATHS:
        value = given.get(name)
        if isinstance(value, str) and _DRIVE.match(value):
            given = {**given, name: posix(value)}
    return call if tool == call.tool and given is call.input else ToolCall(tool, given, call.id)
