from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


class Workspace(Protocol):
    """What a decision may need to know of a machine. The resolver asks this and touches nothing itself."""

    @property
    def cwd(self) -> str:
        """The session's working directory, absolute."""

    @property
    def home(self) -> str:
        """The home directory, absolute."""

    @property
    def trusted(self) -> bool:
        """Whether the workspace's trust dialog was accepted."""

    def resolve(self, path: str) -> str:
        """The absolute `path` with every symbolic link in it followed, as far as the path exists."""

    def is_file(self, path: str) -> bool | None:
        """Whether `path` is a regular file; None: not known."""

    def is_dir(self, path: str) -> bool | None:
        """Whether `path` is a directory; None: not known."""
