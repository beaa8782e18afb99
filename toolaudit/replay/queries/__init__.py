"""Questions that people have about many replayed sessions, each an SQL file whose first line says it in words."""

from __future__ import annotations

from importlib.resources import files


def questions() -> dict[str, tuple[str, str]]:
    """Name -> the question in words, and its SQL."""
    found = {}
    for item in files(__name__).iterdir():
        if item.name.endswith(".sql"):
            text = item.read_text(encoding="utf-8")
            found[item.name.removesuffix(".sql")] = (text.splitlines()[0].removeprefix("-- "), text)
    return dict(sorted(found.items()))
