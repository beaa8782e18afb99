from __future__ import annotations

import os
from collections.abc import Iterable

from toolaudit.model import Source


class Places:
    """Files named shortly: below the one folder that holds them all, which is named once."""

    def __init__(self, files: Iterable[str]) -> None:
        folders = {os.path.dirname(file) for file in files}  # noqa: PTH120 (text that may be no path here)
        try:
            self.base = os.path.commonpath(folders) if folders else ""
        except ValueError:  # absolute and relative names have nothing in common
            self.base = ""

    def short(self, file: str) -> str:
        """The name of `file` below the base."""
        prefix = self.base.rstrip("/") + "/"
        return file.removeprefix(prefix) if self.base else file

    def at(self, file: str, line: int | None) -> str:
        """A place in `file`, shortly."""
        return f"{self.short(file)}:{line}" if line is not None else self.short(file)

    def source(self, source: Source) -> str:
        """The place of a rule, shortly."""
        return str(source) if source.file is None else self.at(source.file, source.line)
