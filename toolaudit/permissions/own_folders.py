"""The client's own folders: what it keeps for the session's project, and what it trusts nobody to write (measured)."""

from __future__ import annotations

import re
from typing import Final

READABLE: Final = ("agent-memory", "tasks", "teams")
"""Folders of `~/.claude` that file tools and shell commands may read."""

FORBIDDEN: Final = ("jobs", "session-env", "shell-snapshots")
"""Folders of `~/.claude` from which the client starts work or takes settings for it; case does not matter."""

TOKENS: Final = ".credentials.json"
"""The file in `~/.claude` that holds the client's sign-in tokens."""

MEMORY: Final = ("agent-memory", "agent-memory-local")
"""Folders of the project's `.claude` that hold notes; the first one is in `~/.claude` too."""

NOTE: Final = ".md"
"""How the name of a note ends, the one kind of file that may be written there in every mode."""


class OwnFolders:
    """The client's folders for a session that runs in `cwd`."""

    __slots__ = ("_forbidden", "_memory", "_project", "_readable", "_temporary")

    def __init__(self, cwd: str, home: str) -> None:
        name = re.sub(r"[^A-Za-z0-9]", "-", cwd)
        client = f"{home}/.claude"
        self._project = f"{client}/projects/{name}/"
        self._temporary = re.compile(rf"/tmp/claude-\d+/{re.escape(name)}/")
        self._readable = tuple(f"{client}/{folder}/" for folder in READABLE)
        self._forbidden = tuple(f"{client}/{folder}/".lower() for folder in FORBIDDEN)
        here = (f"{cwd}/.claude/{folder}/" for folder in MEMORY)
        self._memory = (f"{self._project}memory/", f"{client}/{MEMORY[0]}/", *here)

    def of_session(self, path: str) -> bool:
        """Whether the path is in the folders that belong to this project's sessions."""
        return path.startswith(self._project) or self._temporary.match(path) is not None

    def readable(self, path: str) -> bool:
        """Whether reading the path needs no approval."""
        return path.startswith(self._readable) or self.of_session(path)

    def note(self, path: str) -> bool:
        """Whether the path is a note that may be written in every mode."""
        return path.startswith(self._memory) and path.endswith(NOTE)

    def forbidden(self, path: str) -> bool:
        """Whether the path is, or is in, a folder that file tools do not write to."""
        return (path + "/").lower().startswith(self._forbidden)


def holds_tokens(path: str, home: str) -> bool:
    """Whether the path is the file of sign-in tokens, which nothing may write."""
    return path == f"{home}/.claude/{TOKENS}"


def reaches_tokens(path: str, home: str) -> bool:
    """Whether the path is the file of sign-in tokens or a directory above it."""
    return f"{home}/.claude/{TOKENS}/".startswith(path.rstrip("/") + "/")
