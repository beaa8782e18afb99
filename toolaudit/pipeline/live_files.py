"""What a live session knows of files, in the words that the rules of validation ask for."""

from __future__ import annotations

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.session import loops


class LiveFiles:
    """The disk behind the workspace, and the files the session has read or written."""

    def __init__(self, context: ToolUseContext) -> None:
        self._files = context.files
        self._workspace = context.permissions.workspace

    def loops(self, path: str) -> bool:
        return loops(path, self._workspace)

    def has_read(self, path: str) -> bool:
        """Whether the session read the file, or wrote it."""
        return self._files.get(path) is not None

    def is_file(self, path: str) -> bool | None:
        return self._workspace.is_file(path)

    def is_dir(self, path: str) -> bool | None:
        return self._workspace.is_dir(path)

    def exists(self, path: str) -> bool | None:
        return self._workspace.exists(path)

    def text(self, path: str) -> str | None:
        return self._workspace.read_text(path)
