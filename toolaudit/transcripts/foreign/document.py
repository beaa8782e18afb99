"""Files that are one JSON value, or lines of them, taken apart without trusting any of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

from toolaudit.transcripts.problem import Problem, Trouble

LIMIT = 256 << 20
"""Bytes of a file that must be held whole to be read."""

_BOM = b"\xef\xbb\xbf"
_ESCAPE = re.compile(rb'\\(?:[\\"/bfnrt]|u[0-9a-fA-F]{4})|\\')


def begins(head: Sequence[bytes], *names: bytes) -> bool:
    """Whether the first lines begin a JSON value and hold all of `names`."""
    start = beginning(head)
    return start.startswith((b"{", b"[")) and all(name in start for name in names)


def beginning(head: Sequence[bytes]) -> bytes:
    """The first lines as one text, without what may stand before a JSON value."""
    return _beginning(tuple(head))


def objects(head: Sequence[bytes]) -> tuple[dict[str, Any], ...]:
    """The first lines that are JSON objects by themselves."""
    return _objects(tuple(head))


# One format after the other asks for the same lines; no more than a file's are kept, since they may be long.
@lru_cache(maxsize=1)
def _beginning(head: tuple[bytes, ...]) -> bytes:
    return b"".join(head).removeprefix(_BOM).lstrip()


@lru_cache(maxsize=1)
def _objects(head: tuple[bytes, ...]) -> tuple[dict[str, Any], ...]:
    found = []
    for line in head:
        with suppress(msgspec.DecodeError, RecursionError):
            found.append(msgspec.json.decode(line.removeprefix(_BOM)))
    return tuple(value for value in found if isinstance(value, dict))


def whole(lines: Iterable[bytes | Problem], file: str) -> tuple[bytes, Problem | None]:
    """All bytes of a file, or what stood against that."""
    parts: list[bytes] = []
    size = 0
    for line in lines:
        if isinstance(line, Problem):
            return b"", line
        parts.append(line)
        size += len(line)
        if size > LIMIT:
            return b"", Problem(Trouble.UNREADABLE, f"more than {LIMIT:,} bytes that must be held whole", file)
    return b"".join(parts), None


def values(lines: Iterable[bytes | Problem], file: str) -> Iterator[tuple[int, Any] | Problem]:
    """The value of a file that is one JSON document, or the values of one that has a value a line, each numbered."""
    text, problem = whole(lines, file)
    if problem is not None:
        yield problem
        return
    try:
        yield 1, msgspec.json.decode(text.removeprefix(_BOM))
        return
    except (msgspec.DecodeError, RecursionError):
        pass
    rows = text.split(b"\n")
    if len(rows) > 1 and _is_value(rows[0]):
        yield from records(rows, file)
    else:
        yield from decode(text, file, 1)


def _is_value(line: bytes) -> bool:
    try:
        msgspec.json.decode(line.removeprefix(_BOM))
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def records(lines: Iterable[bytes | Problem], file: str) -> Iterator[tuple[int, Any] | Problem]:
    """The value of each line with its number, and a problem for each line that has none."""
    for number, line in enumerate(lines, 1):
        if isinstance(line, Problem):
            yield line
        elif line.strip():
            yield from decode(line, file, number)


def decode(text: bytes, file: str, line: int) -> Iterator[tuple[int, Any] | Problem]:
    """The JSON value of `text`, repaired where that loses nothing, with a problem for what was repaired or is lost."""
    try:
        yield line, msgspec.json.decode(text.removeprefix(_BOM))
        return
    except RecursionError:
        yield Problem(Trouble.TOO_DEEP, "more brackets inside each other than a parser follows", file, line)
        return
    except msgspec.DecodeError as error:
        complaint = str(error)
    # Masking and hand-made fixtures leave backslashes that escape nothing: they can only mean themselves.
    mended = _ESCAPE.sub(lambda found: found[0] if len(found[0]) > 1 else rb"\\", text.replace(b"\0", b""))
    try:
        value = json.loads(mended.decode("utf-8-sig", "replace"))
        # Lone surrogates, which JSON can escape and UTF-8 can't hold.
        value = msgspec.json.decode(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        yield Problem(Trouble.MALFORMED, complaint, file, line)
        return
    yield Problem(Trouble.REPAIRED, complaint, file, line)
    yield line, value


def text_of(content: object, limit: int = 4096) -> str:
    """The beginning of the text in a result: a text, or the texts of content blocks."""
    if isinstance(content, str):
        return content[:limit]
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))[:limit]
    if isinstance(content, dict):
        return text_of(content.get("text") or content.get("content") or content.get("output"), limit)
    return ""


def record(value: object) -> dict[str, Any]:
    """`value` where it is an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """`value` where it is a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def parse_object(text: object) -> dict[str, Any]:
    """The object that a text is the JSON of; an empty one for anything else."""
    if not isinstance(text, str):
        return {}
    try:
        return record(msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError):
        return {}
