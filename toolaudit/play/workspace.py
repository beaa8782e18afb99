from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

BYTES_MAX: Final = 2 << 30
FILES_MAX: Final = 200_000


class WorkspaceError(ValueError):
    """A workspace that can't be copied; the text says why."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a script is played: directories of its own, gone afterwards unless they were named."""

    cwd: Path
    """The copy of the workspace."""
    home: Path
    """An empty home directory."""
    results: Path
    """Where results that are too long are kept: in the project's folder of the client, which Read reads unasked."""

    def write(self, files: Mapping[str, str | None]) -> None:
        """What somebody else does to files of the workspace. Raises WorkspaceError for one that leads out of it."""
        for name, text in files.items():
            path = self.cwd / name
            if not path.parent.resolve().is_relative_to(self.cwd):
                raise WorkspaceError(f"{name} leads out of the workspace")
            if text is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.unlink(missing_ok=True)
                path.write_text(text, encoding="utf-8")


@contextmanager
def prepare(workspace: Path | None, keep: Path | None = None) -> Iterator[Ground]:
    """A copy of `workspace` (None: an empty one), in a temporary place or, to stay, in the new directory `keep`.

    Links are copied as links; sockets, devices and pipes are left out. Raises WorkspaceError for more than can be
    meant, and OSError.
    """
    if keep is not None:
        keep.mkdir(parents=True)
        yield _prepared(workspace, keep.resolve())
        return
    with TemporaryDirectory(prefix="toolaudit-run-", ignore_cleanup_errors=True) as place:
        yield _prepared(workspace, Path(place).resolve())


def _prepared(workspace: Path | None, place: Path) -> Ground:
    cwd, home = place / "work", place / "home"
    ground = Ground(cwd, home, home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(cwd)) / "tool-results")
    if workspace is None:
        ground.cwd.mkdir()
    else:
        _check(workspace)
        shutil.copytree(workspace, ground.cwd, symlinks=True, ignore=_special)
    ground.home.mkdir()
    ground.results.mkdir(parents=True)
    return ground


def _check(workspace: Path) -> None:
    files = size = 0
    for folder, _, names in os.walk(workspace):
        for name in names:
            files += 1
            size += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118
        if files > FILES_MAX or size > BYTES_MAX:
            raise WorkspaceError(f"{workspace} has more than {FILES_MAX:,} files or {BYTES_MAX >> 30} GB")


def _special(folder: str, names: list[str]) -> list[str]:
    kinds = {name: os.lstat(os.path.join(folder, name)).st_mode for name in names}  # noqa: PTH118
    return [
        name for name, mode in kinds.items() if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
    ]
