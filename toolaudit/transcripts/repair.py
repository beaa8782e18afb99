"""What can be saved of a line that is no JSON, or not the JSON one hopes for.

Seen in real files: two writers' records on one line, the second whole and the first sometimes cut short; runs of NUL
bytes; lone surrogates, which JavaScript writes and few parsers take; comment lines in hand-made files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from toolaudit.transcripts.lines import LIMIT
from toolaudit.transcripts.problem import Trouble
from toolaudit.transcripts.wire import Line, decode_line

_RECORD_START = re.compile(r'\{"(?:parentUuid|type)"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_RECORD_KEYS = frozenset({"uuid", "sessionId", "session_id", "leafUuid", "messageId"})
_BLANK = re.compile(r"\s*+\Z")
_MOST_FAILURES = 8
"""Record starts that may fail on one line: each can cost a scan of the rest of it."""

Finding = tuple[Trouble, str]


def repair_line(raw: bytes, error: Exception) -> Iterator[Line | Finding]:
    """The records that can be saved of `raw`, and a finding for each thing that was wrong with it.

    `error` is what the decoder said. No repair guesses at lost content.
    """
    text = raw.strip()
    if text.startswith((b"//", b"#")):
        yield Trouble.COMMENT, _shown(text)
        return
    if isinstance(error, RecursionError):
        yield Trouble.TOO_DEEP, "more brackets inside each other than a parser follows"
        return
    if b"\0" in text:
        text = text.replace(b"\0", b"")
        yield Trouble.NUL_BYTES, f"{len(raw.strip()) - len(text):,} bytes"
        if not text.strip():
            return
    decoded = text.decode("utf-8", "replace")
    if "\ufffd" in decoded and b"\xef\xbf\xbd" not in text:
        yield Trouble.BAD_UTF8, _shown(text)
    records, complaint = _records(decoded)
    if len(records) > 1 or (records and complaint):
        yield Trouble.SPLICED, f"{len(records)} saved" + (f", the rest is lost: {complaint}" if complaint else "")
    for record in records:
        yield from _line(record)
    if not records:
        cut = not raw.endswith(b"\n") and text.startswith(b"{")
        yield Trouble.TRUNCATED if cut else Trouble.MALFORMED, complaint


def _records(text: str) -> tuple[list[Any], str]:
    """The records that stand one after another in `text`, and what the parser said about the rest."""
    decoder = json.JSONDecoder()
    records: list[Any] = []
    complaint = ""
    position = failures = 0
    while failures < _MOST_FAILURES:
        first = position == 0
        try:
            record, position = decoder.raw_decode(text, position)
            if first or _is_record(record):
                records.append(record)
        except (json.JSONDecodeError, RecursionError) as error:
            complaint = complaint or str(error)
            position += 1
            failures += 1
        start = _RECORD_START.search(text, position)
        end = start.start() if start else len(text)
        if not _BLANK.match(text, position, end):
            complaint = complaint or "text that belongs to no record"
        if not start:
            break
        position = end
    return records, complaint


def _is_record(value: Any) -> bool:
    """Whether this is a line's record and not a part of a damaged one, which may begin like a record too."""
    return isinstance(value, dict) and not _RECORD_KEYS.isdisjoint(value)


def _line(record: Any) -> Iterator[Line | Finding]:
    if not isinstance(record, dict):
        yield Trouble.BAD_SHAPE, f"expected an object, got {type(record).__name__}"
        return
    text = json.dumps(record, ensure_ascii=False)
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
        yield Trouble.SURROGATE, "shown as U+FFFD"
    encoded = text.encode()
    if len(encoded) > 2 * LIMIT:
        yield Trouble.TOO_LONG, f"{len(encoded):,} bytes"
        return
    try:
        yield decode_line(encoded)
    except msgspec.DecodeError as error:
        yield Trouble.BAD_SHAPE, str(error)
    except RecursionError:
        yield Trouble.TOO_DEEP, "more brackets inside each other than a parser follows"


def _shown(text: bytes) -> str:
    return text[:60].decode("utf-8", "replace")
