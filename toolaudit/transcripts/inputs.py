from __future__ import annotations

import glob
import gzip
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from toolaudit.transcripts import remote
from toolaudit.transcripts.problem import Problem, Trouble

SUFFIXES = (".jsonl", ".ndjson", ".json", ".traj", ".eval", ".db")
"""What a folder is searched for, also with `.gz` after it. A file that is named is read whatever it is called."""

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Input:
    """One thing to read: a file, or standard input (`path` None)."""

    name: str
    path: Path | None

    @property
    def size(self) -> int:
        """Bytes on disk, compressed or not; 0 where that can't be said."""
        try:
            return self.path.stat().st_size if self.path else 0
        except OSError:
            return 0

    @property
    def stamp(self) -> str:
        """What tells one state of the file from another, besides its size."""
        try:
            return str(self.path.stat().st_mtime_ns) if self.path else ""
        except OSError:
            return ""

    def open(self) -> BinaryIO:
        """The content, decompressed where its first bytes say gzip. Raises OSError."""
        raw = cast(io.BufferedReader, self.path.open("rb") if self.path else sys.stdin.buffer)
        if raw.peek(2)[:2] == _GZIP_MAGIC:
            return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
        return raw


AnyInput = Input | remote.RemoteInput


def expand(paths: Iterable[str]) -> Iterator[AnyInput | Problem]:
    """The inputs behind files, folders, globs, URLs and `-`, each once, in a fixed order.

    Links to folders are not followed below a named folder, so a cycle can't trap the walk; devices and pipes are
    read only when named.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path == "-":
            yield Input("-", None)
            continue
        if remote.is_url(path):
            yield from remote.expand(path, SUFFIXES)
            continue
        # Path.glob takes no absolute pattern.
        matches = [path] if os.path.lexists(path) else sorted(glob.glob(path, recursive=True))  # noqa: PTH207
        if not matches:
            yield Problem(Trouble.NO_MATCH, "no file, folder or match of this name", path)
        for match in matches:
            for found in _walk(match) if Path(match).is_dir() else (match,):
                yield from _once(found, match, seen)


def _walk(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            yield os.path.join(parent, name)  # noqa: PTH118 (a million Path objects cost seconds)


def _once(path: str, named: str, seen: set[tuple[int, int]]) -> Iterator[Input | Problem]:
    try:
        status = Path(path).stat()
    except OSError as error:
        yield Problem(Trouble.UNREADABLE, error.strerror or str(error), path)
        return
    if path != named and not (path.removesuffix(".gz").endswith(SUFFIXES) and stat.S_ISREG(status.st_mode)):
        yield Problem(Trouble.LEFT_OUT, Path(path).suffix or "no suffix", path)
        return
    if (status.st_dev, status.st_ino) not in seen:
        seen.add((status.st_dev, status.st_ino))
        yield Input(path, Path(path))
