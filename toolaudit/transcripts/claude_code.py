"""Claude Code's session files, JSON lines, and the stream-json twin the client prints (clients 1.0.0 to 2.1.332)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from toolaudit.transcripts.line_types import CONVERSATION, KNOWN
from toolaudit.transcripts.pairing import read_calls
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall
from toolaudit.transcripts.records import read_records
from toolaudit.transcripts.wire import decode_line

NAME = "claude-code"


def detects(head: Sequence[bytes]) -> bool:
    """Whether one of the first lines is a line of this format, or a damaged one that begins like it."""
    for raw in head:
        try:
            line = decode_line(raw)
        except msgspec.ValidationError:
            continue
        except (msgspec.DecodeError, RecursionError):
            if raw.startswith((b'{"parentUuid"', b'{"type":"user"', b'{"type":"assistant"')):
                return True
            continue
        known = type(line.type) is str and line.type in KNOWN
        if known and (line.session or line.session_twin or (line.type in CONVERSATION and line.message)):
            return True
        if line.type in ("summary", "file-history-snapshot"):
            return True
    return False


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of one file, each when its result is read, those without a result at the end."""
    return read_calls(read_records(lines, file), file)
