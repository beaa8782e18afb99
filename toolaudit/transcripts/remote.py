"""Recordings that are not on this disk: whatever fsspec (extra `remote`) has a file system for, such as s3:// or https://.

Only what the user names is fetched: no path in a recording leads anywhere.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from toolaudit.transcripts.problem import Problem, Trouble

_GZIP_MAGIC = b"\x1f\x8b"
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class RemoteInput:
    """One file to read, by its URL."""

    name: str
    size: int
    """Bytes as stored; 0 where the store does not say."""
    stamp: str
    """What the store says of its state: an etag, a time."""

    def open(self) -> BinaryIO:
        """The content as a stream, decompressed where its first bytes say gzip. Raises OSError."""
        import fsspec

        try:
            opened = fsspec.open(self.name, "rb").open()
            begins = opened.read(2)
            opened.seek(0)
        except Exception as error:  # every store raises errors of its own
            raise OSError(f"{type(error).__name__}: {error}") from error
        return cast(BinaryIO, gzip.GzipFile(fileobj=opened) if begins == _GZIP_MAGIC else opened)


def is_url(path: str) -> bool:
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.replace("+", "").replace("-", "").replace(":", "").isalnum()


def expand(url: str, suffixes: tuple[str, ...]) -> Iterator[RemoteInput | Problem]:
    """The files behind a URL: itself, the matches of a glob, or what a folder holds below it."""
    try:
        import fsspec
    except ModuleNotFoundError:
        yield Problem(Trouble.UNREADABLE, "reading URLs needs fsspec: pip install 'toolaudit[remote]'", url)
        return
    try:
        filesystem, path = fsspec.url_to_fs(url)
        if _GLOB & set(path):
            found = {name: about for name, about in filesystem.glob(path, detail=True).items() if _is_file(about)}
        elif filesystem.isdir(path):
            found = filesystem.find(path, detail=True)
        else:
            found = {path: filesystem.info(path)}
    except Exception as error:  # every store raises errors of its own
        yield Problem(Trouble.UNREADABLE, f"{type(error).__name__}: {error}"[:300], url)
        return
    if not found:
        yield Problem(Trouble.NO_MATCH, "no file, folder or match of this name", url)
    named = set(found) == {path}
    for name, about in sorted(found.items()):
        whole = filesystem.unstrip_protocol(name)
        if named or name.removesuffix(".gz").endswith(suffixes):
            yield RemoteInput(whole, int(about.get("size") or 0), _stamp(about))
        else:
            yield Problem(Trouble.LEFT_OUT, f".{name.rpartition('.')[2]}" if "." in name else "no suffix", whole)


def _is_file(about: dict[str, Any]) -> bool:
    return about.get("type") != "directory"


def _stamp(about: dict[str, Any]) -> str:
    marks = ("ETag", "etag", "LastModified", "mtime", "last_modified", "created")
    return str(next((about[mark] for mark in marks if about.get(mark)), ""))
