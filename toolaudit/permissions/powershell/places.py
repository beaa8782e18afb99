"""Paths as PowerShell writes them, turned into the form that rules and working directories are compared in."""

from __future__ import annotations

import re
from typing import Final

from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late

_DRIVE: Final = late(r"([A-Za-z]):(?=[\\/]|\Z)")
_PROVIDER: Final = late(r"(?:Microsoft\.PowerShell\.Core[\\/])?FileSystem::", re.IGNORECASE)
_DEVICE: Final = late(r"[\\/]{2}[?.][\\/]|[\\/]\?\?[\\/]")
_VARIABLE: Final = late(r"\$(?:\{([^}]*)\}|([\w:]+))|%([^%\s]+)%")


def posix(text: str) -> str | None:
    r"""The path with slashes, and `/c/U` for `C:\U` (documents, 4.9).

    None: its place can't be told, as of a network share, a path relative to a drive, a stream or another provider.
    """
    if _DEVICE.match(text) or text[:2] in (r"\\", "//", r"\/", r"/\\"):
        return None
    drive = _DRIVE.match(text)
    rest = text[drive.end() :] if drive else text
    if ":" in rest or (text[:1] == "~" and text[1:2] not in ("", "/", "\\")):
        return None
    rest = rest.replace("\\", "/")
    return f"/{drive[1].lower()}/{rest.lstrip('/')}" if drive else rest


def plain(text: str, workspace: Workspace, *, expand: bool = True) -> str | None:
    """As `posix`, for refusing: the prefixes of a path by its full name are taken off, and known variables put in."""
    if expand:
        text = _VARIABLE.sub(lambda match: _expanded(match, workspace), text)
    text = _DEVICE.sub("", _PROVIDER.sub("", text, count=1), count=1)
    return posix(text)


def _expanded(match: re.Match[str], workspace: Workspace) -> str:
    name = (match[1] or match[2] or match[3]).lower()
    if match[3]:
        name = f"env:{name}"
    if name in ("home", "env:home", "env:userprofile"):
        return workspace.home
    if name in ("pwd", "env:cd"):
        return workspace.cwd
    return _KNOWN.get(name, match[0])


_KNOWN: Final = {
    "env:systemdrive": "C:",
    "env:homedrive": "C:",
    "env:systemroot": r"C:\Windows",
    "env:windir": r"C:\Windows",
    "env:programfiles": r"C:\Program Files",
    "env:programfiles(x86)": r"C:\Program Files (x86)",
    "env:programdata": r"C:\ProgramData",
}
"""Variables that name a system path wherever Windows is installed in the usual way, by lower-case name."""
