from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).with_name("corpus")
_IN_TREE = Path(__file__).parents[2] / "corpora"


def read(name: str) -> str:
    """The text of a file of rows: from the repository's corpora/, or from the copy that an installed package has."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _IN_TREE
    return (folder / name).read_text(encoding="utf-8")
