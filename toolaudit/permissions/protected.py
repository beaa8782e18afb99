"""Paths that no allow rule opens for writing, and path forms that a person must look at.

Sources: documents, 7; measured: names match in either case, at any depth, in the path as given and in what its links
lead to.
"""

from __future__ import annotations

import re
from typing import Final

from toolaudit.patterns import late
from toolaudit.structs import Struct

DIRECTORIES: Final = frozenset(
    {".git", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer", ".yarn", ".mvn", ".claude"}
)
"""A path with one of these segments is protected: what is below it, and a file of that name."""

DIRECTORY_PAIRS: Final = frozenset({(".config", "git")})
"""Two segments that are protected when one follows the other."""

EXEMPT_PAIRS: Final = frozenset({(".claude", "worktrees")})
"""Two segments that lose the protection of the first one; further segments are judged by themselves."""

FILES: Final = frozenset(
    {
        ".bash_aliases",
        ".bash_login",
        ".bash_logout",
        ".bash_profile",
        ".bashrc",
        ".bazeliskrc",
        ".bazelrc",
        ".bazelversion",
        ".bunfig.toml",
        ".claude.json",
        ".devcontainer.json",
        ".envrc",
        ".gitconfig",
        ".gitmodules",
        ".lefthook.yaml",
        ".lefthook.yml",
        ".mcp.json",
        ".npmrc",
        ".pnp.cjs",
        ".pnp.loader.mjs",
        ".pnpmfile.cjs",
        ".pre-commit-config.yaml",
        ".profile",
        ".ripgreprc",
        ".yarnrc",
        ".yarnrc.yml",
        ".zlogin",
        ".zlogout",
        ".zprofile",
        ".zshenv",
        ".zshrc",
        "bunfig.toml",
        "gradle-wrapper.properties",
        "lefthook.yaml",
        "lefthook.yml",
        "maven-wrapper.properties",
        "pyrightconfig.json",
    }
)
"""Protected by the last segment of the path."""

SETTINGS: Final = frozenset({"settings.json", "settings.local.json"})
"""Settings files, in a `.claude` directory anywhere."""

MANAGED_SETTINGS: Final = "/etc/claude-code/managed-settings.json"

OWN_FOLDERS: Final = frozenset({"agents", "commands", "skills"})
"""Folders of the working directory's `.claude` that hold instructions."""

_INVISIBLE: Final = late("[\u200c\u200d\u200e\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters a file system may ignore in a name."""

_SUSPICIOUS: Final = late(
    r"""
    [. ] (?: / | \Z )    # a segment that ends in a dot or a blank; `.` and `..` do not occur in a normalised path
    | ~ [0-9]            # a short name of DOS
    | \. (?: con | prn | aux | nul | com[1-9] | lpt[1-9] ) \Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Forms that mean another file on Windows; they are looked at on every system."""


class Protection(Struct):
    """Why a write to a path waits for approval whatever the allow rules say."""

    why: str
    approvable: bool = True
    """Whether a classifier may approve it in place of a person."""
    forbidden: bool = False
    """File tools refuse the write in every mode; a shell command waits as for any other protected path."""
    stray: bool = False
    """A link leads out of the working directories, which only allow rules for both ends make up for."""


def suspicious(path: str) -> bool:
    """Whether the absolute, normalised path has a form that means another file on Windows."""
    return _SUSPICIOUS.search(path) is not None


def protection(path: str, cwd: str) -> Protection | None:
    """What protects the absolute, normalised `path`, its links not followed; None: nothing."""
    if suspicious(path):
        return Protection("the path has a form that means another file on Windows")
    folded = _INVISIBLE.sub("", path).lower()
    segments = [segment.partition(":")[0] for segment in folded.split("/")]
    name = segments[-1]
    if folded == MANAGED_SETTINGS:
        return Protection("it holds the client's settings")
    previous = ""
    for place, segment in enumerate(segments):
        following = segments[place + 1] if place + 1 < len(segments) else ""
        if segment in DIRECTORIES and (segment, following) not in EXEMPT_PAIRS:
            return Protection(_directory(folded, segment, following, cwd))
        if (previous, segment) in DIRECTORY_PAIRS:
            return Protection(f"{previous}/{segment} is a protected directory")
        previous = segment
    return Protection(f"{name} is a protected file") if name in FILES else None


def _directory(folded: str, segment: str, following: str, cwd: str) -> str:
    if segment == ".claude" and following in SETTINGS:
        return "it holds the client's settings"
    if segment == ".claude" and following in OWN_FOLDERS and folded.startswith(cwd.lower() + "/.claude/"):
        return "it holds instructions for the client"
    return f"{segment} is a protected directory"
