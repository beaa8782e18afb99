"""Images, told by their first bytes and never by their names."""

from __future__ import annotations

import base64
from typing import Final

from toolaudit.tools.effects import disk
from toolaudit.tools.interface import Block, ToolError

EXTENSIONS: Final = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
"""What Read takes for an image."""

BYTES_MAX: Final = 5 * 1024 * 1024 * 3 // 4
"""A longer image does not fit into a request once it is written in base64, which makes four bytes of three."""

_SHOWN: Final = 8


def media_type(data: bytes) -> str | None:
    """The type of an image by its first bytes, or None."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def block(data: bytes, kind: str) -> Block:
    """The content block of an image."""
    source = {"type": "base64", "media_type": kind, "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def read(path: str) -> Block:
    """The block of the image file at a resolved path. Raises ToolError where it is none, or too long."""
    data, _ = disk.read(path, BYTES_MAX)
    kind = media_type(data)
    if kind is None:
        raise ToolError(
            "File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. "
            f"Detected: unrecognized bytes (hex: {data[:_SHOWN].hex(' ')}).",
            "no_image",
        )
    return block(data, kind)
