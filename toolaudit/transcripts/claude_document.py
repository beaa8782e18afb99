"""Claude Code's records in one JSON document: a lone record, a list of records, or a web session's `loglines`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from toolaudit.transcripts import claude_code
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import RecordedCall

NAME = "claude-code-document"

_NAMES = (b'"loglines"', b'"sessionId"', b'"message"', b'"leafUuid"', b'"messageId"')

_LIMIT = 64 << 20
"""Bytes of a document, which must be held whole to be read."""


def detects(head: Sequence[bytes]) -> bool:
    """Whether the first lines begin a document, not one record a line, with names that only these records have."""
    if len(head) > 1 and _is_whole(head[0]):
        return False
    start = b"".join(head).lstrip()
    return start.startswith((b"{", b"[")) and any(name in start for name in _NAMES)


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of the document; their line is the record's place in it."""
    parts: list[bytes] = []
    size = 0
    for line in lines:
        if isinstance(line, Problem):
            yield line
            return
        parts.append(line)
        size += len(line)
        if size > _LIMIT:
            yield Problem(Trouble.UNREADABLE, f"a document of more than {_LIMIT:,} bytes", file)
            return
    try:
        records = list(_records(b"".join(parts)))
    except (json.JSONDecodeError, RecursionError) as error:
        yield Problem(Trouble.MALFORMED, str(error), file)
        return
    if not claude_code.detects(records[:50]):
        yield Problem(Trouble.UNRECOGNISED, "JSON, but no record of a session in it", file)
        return
    yield from claude_code.read(records, file)


def _records(text: bytes) -> Iterator[bytes]:
    document = json.loads(text.decode("utf-8-sig", "replace"))
    if isinstance(document, dict):
        document = document.get("loglines", [document])
    for record in document if isinstance(document, list) else [document]:
        try:
            yield msgspec.json.encode(record)
        except UnicodeEncodeError:  # a lone surrogate: escaped, it becomes a matter for the line's repair
            yield json.dumps(record).encode()
