from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

SUFFIXES: Final = (".toolaudit.yaml", ".toolaudit.yml")

_PASSED_BY: Final = frozenset({"node_modules", "venv", "build", "dist", "__pycache__"})


def find(paths: Iterable[Path]) -> Iterator[Path]:
    """The test files among `paths` and in the folders among them, in order, each once.

    Hidden folders and those that hold other people's code are passed by unless named. Raises FileNotFoundError for a
    path that is not there.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(2, "no such file or folder", str(path))
        for found in [path] if path.is_file() else _inside(path):
            if (real := found.resolve()) not in seen:
                seen.add(real)
                yield found


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not (path.name.startswith(".") or path.name in _PASSED_BY or path.is_symlink()):
                yield from _inside(path)
        elif path.name.endswith(SUFFIXES):
            yield path
