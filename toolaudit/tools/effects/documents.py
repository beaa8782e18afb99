"""PDF documents: whole when they are short, else the pages asked for."""

from __future__ import annotations

import base64
import io
from typing import Final

from toolaudit.tools.effects import disk
from toolaudit.tools.interface import Block, ToolError
from toolaudit.tools.validation import PAGES_LIMIT

WHOLE_PAGES_MAX: Final = 10
"""A document with more pages is read by `pages` only (documents, 13)."""

BYTES_MAX: Final = 32 << 20
"""The most bytes of a document that fit into a request."""


def read(path: str, pages: str | None) -> Block:
    """The block of the document at a resolved path, or of some of its pages. Raises ToolError where that can't be."""
    data, _ = disk.read(path, BYTES_MAX)
    if not data.startswith(b"%PDF-"):
        raise ToolError(f"File is not a valid PDF (missing %PDF- header): {path}", "no_pdf")
    return _block(_chosen(data, pages, path))


def _chosen(data: bytes, pages: str | None, path: str) -> bytes:
    try:
        import pypdf
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise ToolError("Reading PDF files needs pypdf: install toolaudit[tools].", "needs_pypdf") from error
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        count = len(reader.pages)
        if pages is None:
            if count > WHOLE_PAGES_MAX:
                told = f"This PDF has {count} pages, too many to read at once. Say which in pages, such as 1-5"
                raise ToolError(f"{told}; at most {PAGES_LIMIT} a call.", "too_many_pages")
            return data
        first, last = _range(pages)
        if not 1 <= first <= last <= count:
            raise ToolError(f"pages asks for {pages}, and the PDF has pages 1-{count}.", "no_such_page")
        writer = pypdf.PdfWriter()
        for number in range(first - 1, last):
            writer.add_page(reader.pages[number])
        out = io.BytesIO()
        writer.write(out)
        return out.getvalue()
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        # What a broken document makes pypdf raise is not described anywhere.
        raise ToolError(f"The PDF can't be read: {path}", "broken_pdf") from error


def _range(pages: str) -> tuple[int, int]:
    first, _, last = pages.strip().partition("-")
    return int(first), int(last or first)


def _block(data: bytes) -> Block:
    source = {"type": "base64", "media_type": "application/pdf", "data": base64.b64encode(data).decode()}
    return {"type": "document", "source": source}
