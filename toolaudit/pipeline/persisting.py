"""Texts that are too long for the conversation: the whole goes to a file, a preview with its path stays."""

from __future__ import annotations

import os
from typing import Final

PREVIEW_CHARS: Final = 2000
"""How much of a persisted text the model still sees, up to the last line end in it (recordings)."""

FILE_CHARS_MAX: Final = 64 << 20
"""A file keeps this much of a text (documents, 13)."""

TAG: Final = "persisted-output"

_UNITS: Final = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


def persist(text: str, directory: str) -> tuple[str, str]:
    """Keeps `text` in `directory` under the hash of its content; gives a wrapper in the client's words, and the path.

    Raises OSError where it can't be kept.
    """
    import hashlib  # decisions import this module and never keep a text
    from pathlib import Path

    data = text[:FILE_CHARS_MAX].encode("utf-8", "backslashreplace")
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.txt"
    beside = path.with_suffix(f".{os.getpid()}.{id(data):x}.tmp")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    saved = "Full output" if len(text) <= FILE_CHARS_MAX else f"The first {_size(len(data))} of it"
    wrapper = (
        f"<{TAG}>\nOutput too large ({_size(_bytes(text))}). {saved} saved to: {path}\n\n"
        f"Preview (first {PREVIEW_CHARS // 1000}KB):\n{_preview(text)}\n</{TAG}>"
    )
    return wrapper, str(path)


def _preview(text: str) -> str:
    """The beginning of `text`, whole lines of it where they fill half of the room, and a mark where more follows."""
    if len(text) <= PREVIEW_CHARS:
        return text
    end = text.rfind("\n", PREVIEW_CHARS // 2, PREVIEW_CHARS)
    return f"{text[: end if end >= 0 else PREVIEW_CHARS]}\n..."


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))


def _size(bytes: int) -> str:
    """A size as the client tells it: `106.3KB`, `30KB`."""
    if bytes < 1024:
        return f"{bytes} bytes"
    size, unit = next(((bytes / step, unit) for step, unit in _UNITS if bytes >= step))
    return f"{size:.1f}".removesuffix(".0") + unit


def shorten(text: str, most: int) -> str:
    """`text` with its middle left out where it has more than `most` characters, as the client tells it (measured)."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n\n... [{len(text) - 2 * half} characters truncated] ...\n\n{text[-half:]}"
