from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolaudit.model import Scope, Source
from toolaudit.settings.errors import SettingsError
from toolaudit.settings.positions import Path, Position
from toolaudit.structs import Struct, field


class Document(Struct):
    """The settings of one scope: their value, and where each part of it stands."""

    scope: Scope
    value: Mapping[str, Any]
    file: str | None = None
    """None for settings that come from no file: the command line, or an object handed in."""
    directory: str | None = None
    """The absolute directory of the file."""
    places: Mapping[Path, Position] = field(default_factory=dict)

    def source(self, *path: str | int) -> Source:
        """Where the value at `path` stands, or where the nearest value around it does."""
        line, column = self._place(path)
        return Source(self.scope, self.file, line, column)

    def error(self, message: str, help: str, *path: str | int) -> SettingsError:
        """The error about the value at `path`."""
        line, column = self._place(path)
        return SettingsError(message, help=help, file=self.name, line=line or 1, column=column or 1)

    @property
    def name(self) -> str:
        return self.file or f"<{self.scope} settings>"

    def _place(self, path: Path) -> tuple[int, int] | tuple[None, None]:
        for length in range(len(path), 0, -1):
            if place := self.places.get(path[:length]):
                return place
        return None, None
