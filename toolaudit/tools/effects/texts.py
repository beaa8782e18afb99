"""Text files: from bytes to the text a model sees, and back without changing what it does not see.

What is kept: the encoding, a byte-order mark, and the line ends, by the majority of them (measured: a file that mixes
them comes back with one kind).
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"))


@dataclass(frozen=True, slots=True)
class Document:
    """A text and how it stands in its file."""

    text: str
    """Lines end with `\\n`."""
    encoding: str = "utf-8"
    mark: bytes = b""
    """The byte-order mark."""
    crlf: bool = False
    exact: bool = True
    """The bytes were valid in the encoding: writing gives back what was read."""

    def encode(self, text: str) -> bytes:
        """The bytes of the file once `text` stands in it. Raises UnicodeEncodeError for a lone surrogate."""
        if self.crlf:
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        return self.mark + text.encode(self.encoding)


NEW = Document("")
"""A file that is not there yet."""


def decode(data: bytes) -> Document:
    """The text in the bytes of a file. What is not valid becomes U+FFFD, and the document is not exact."""
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        text, exact = body.decode(encoding), True
    except UnicodeDecodeError:
        text, exact = body.decode(encoding, "replace"), False
    pairs = text.count("\r\n")
    crlf = pairs > text.count("\n") - pairs
    return Document(text.replace("\r\n", "\n"), encoding, mark, crlf, exact)
