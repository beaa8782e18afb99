"""What earlier calls of a session left behind that decides whether a later one is valid."""

from __future__ import annotations

import posixpath
from typing import Protocol

from toolaudit.model import ToolCall
from toolaudit.model.workspace import Workspace


def loops(path: str, workspace: Workspace) -> bool:
    """Whether the links on `path` lead in a circle."""
    try:
        workspace.hops(path)
    except OSError:
        return True
    return False


class FileKnowledge(Protocol):
    """What a session knows of files, foretold from its calls or live. Paths are absolute and normalised."""

    def loops(self, path: str) -> bool:
        """Whether the links on the path lead in a circle."""

    def has_read(self, path: str) -> bool:
        """Whether the session read the file, or wrote it."""

    def is_file(self, path: str) -> bool | None:
        """Whether it is, or links to, a regular file; None: not known."""

    def is_dir(self, path: str) -> bool | None:
        """Whether it is, or links to, a directory; None: not known."""

    def exists(self, path: str) -> bool | None:
        """Whether there is anything at all; None: not known."""

    def text(self, path: str) -> str | None:
        """What stands in the file; None: not known."""


class Session:
    """The files a session has read, and those it has written, with their text as far as it is known.

    A file counts as read under the path that was given, not under what its links lead to (measured).
    """

    __slots__ = ("_directories", "_read", "_texts", "_workspace", "blocked")

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._read: set[str] = set()
        self._texts: dict[str, str | None] = {}
        self._directories: set[str] = set()
        self.blocked = 0
        """How many calls the classifier blocked one after the other."""

    def loops(self, path: str) -> bool:
        """Whether the links on the path lead in a circle."""
        return loops(path, self._workspace)

    def has_read(self, path: str) -> bool:
        """Whether the session read the file, or wrote it."""
        return path in self._read

    def is_file(self, path: str) -> bool | None:
        """Like the workspace's answer, files that the session created included."""
        return True if self._resolve(path) in self._texts else self._workspace.is_file(path)

    def is_dir(self, path: str) -> bool | None:
        """Like the workspace's answer, directories that the session created included."""
        return True if self._resolve(path) in self._directories else self._workspace.is_dir(path)

    def exists(self, path: str) -> bool | None:
        """Like the workspace's answer, what the session created included."""
        resolved = self._resolve(path)
        created = resolved in self._texts or resolved in self._directories
        return True if created else self._workspace.exists(path)

    def text(self, path: str) -> str | None:
        """What stands in a file after all that the session wrote; None: not known."""
        resolved = self._resolve(path)
        return self._texts[resolved] if resolved in self._texts else self._workspace.read_text(path)

    def record(self, call: ToolCall, path: str) -> None:
        """Takes note of a call of a file tool that ran on the absolute `path`."""
        self._read.add(path)
        if call.tool == "Read":
            return
        from toolaudit.tools.effects import edits

        given = call.input
        text: str | None = None
        if call.tool == "Write":
            text = edits.tidy(given["content"], path)
        elif call.tool == "Edit":
            everywhere = given.get("replace_all") in (True, "true")
            text = edits.foretold(
                self.text(path), given["old_string"], given["new_string"], path, everywhere=everywhere
            )
        resolved = self._resolve(path)
        self._texts[resolved] = text
        while (resolved := posixpath.dirname(resolved)) not in self._directories and resolved != "/":
            self._directories.add(resolved)

    def _resolve(self, path: str) -> str:
        try:
            return self._workspace.resolve(path)
        except OSError:
            return path
