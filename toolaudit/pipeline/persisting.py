"""Texts that are too long for the conversation: the whole goes to a file, a preview with its path stays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

PREVIEW_CHARS: Final = 2000
"""How much of a persisted text the model still sees; the documents give no number."""

FILE_CHARS_MAX: Final = 64 << 20
"""A file keeps this much of a text (documents, 13)."""

TAG: Final = "persisted-output"


def persist(text: str, directory: str) -> tuple[str, str]:
    """Keeps `text` in `directory` under the hash of its content; gives the wrapper and the file's path.

    Raises OSError where it can't be kept.
    """
    import hashlib  # decisions import this module and never hash

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
    cut = f", of which the first {FILE_CHARS_MAX:,} are kept" if len(text) > FILE_CHARS_MAX else ""
    wrapper = (
        f"<{TAG}>\nThe output has {len(text):,} characters{cut}. It is saved in: {path}\n\n"
        f"It begins with:\n{text[:PREVIEW_CHARS]}\n</{TAG}>"
    )
    return wrapper, str(path)


def shorten(text: str, most: int) -> str:
    """`text` with its middle left out where it has more than `most` characters, as the client tells it (measured)."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n\n... [{len(text) - 2 * half} characters truncated] ...\n\n{text[-half:]}"
