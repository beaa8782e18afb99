from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from toolaudit.transcripts.problem import Problem, Trouble

LIMIT = 16 << 20
"""Bytes of one line. The longest line seen in recorded sessions has 1.2 MB; a longer one is skipped and named."""

_REPORT_EVERY = 1 << 20


class Lines:
    """The lines of a stream, each with its newline, in memory bounded by LIMIT. To be iterated once.

    Only LF ends a line: U+2028, U+0085 and a lone CR stand unescaped inside JSON strings. Each line is one item,
    so that counting the items gives line numbers; only a stream that breaks off adds an item that is no line.
    `advance` hears, about once a megabyte, how many bytes were read.
    """

    def __init__(self, stream: BinaryIO, file: str, advance: Callable[[int], None] | None = None) -> None:
        self._stream = stream
        self._file = file
        self._advance = advance
        self.count = 0
        """Lines read so far."""

    def __iter__(self) -> Iterator[bytes | Problem]:
        readline = self._stream.readline
        pending = 0
        try:
            while line := readline(LIMIT):
                self.count += 1
                size = len(line)
                if size == LIMIT and not line.endswith(b"\n"):
                    del line
                    size += self._skip()
                    yield Problem(Trouble.TOO_LONG, f"{size:,} bytes, more than {LIMIT:,}", self._file, self.count)
                else:
                    yield line
                pending += size
                if pending >= _REPORT_EVERY:
                    self._report(pending)
                    pending = 0
        except (OSError, EOFError, zlib.error) as error:
            yield Problem(Trouble.UNREADABLE, f"{type(error).__name__}: {error}", self._file, self.count + 1)
        self._report(pending)

    def _skip(self) -> int:
        skipped = 0
        while chunk := self._stream.readline(1 << 20):
            skipped += len(chunk)
            if chunk.endswith(b"\n"):
                break
        return skipped

    def _report(self, size: int) -> None:
        if self._advance is not None:
            self._advance(size)
