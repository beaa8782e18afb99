"""Gemini CLI's chats: one JSON document, or newer JSON lines that add, change and take back messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import begins, items, record, string, values
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

NAME = "gemini-cli"

_ENDED = frozenset({"success", "error", "cancelled"})


def detects(head: Sequence[bytes]) -> bool:
    return begins(head, b'"projectHash"') or begins(head, b'"gemini"', b'"type"', b'"sessionId"')


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of a chat. Those of messages that were taken back did run, so they count."""
    return Recording(NAME, file).follow(values(lines, file), _part)


def _part(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    part = record(value)
    recording.session = recording.session or string(part.get("sessionId"))
    directories = items(part.get("directories"))
    recording.cwd = recording.cwd or (string(directories[0]) if directories else None)
    messages = items(part.get("messages")) or items(record(part.get("$set")).get("messages"))
    for place, message in enumerate(messages or [part], 1):
        yield from _message(recording, record(message), place if messages else number)


def _message(recording: Recording, message: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    for call in map(record, items(message.get("toolCalls"))):
        id = string(call.get("id")) or recording.unnamed()
        timestamp = call.get("timestamp") or message.get("timestamp")
        yield from recording.call(call.get("name"), call.get("args"), place, id=id, timestamp=timestamp)
        status = string(call.get("status"))
        if status in _ENDED:
            yield from recording.result(id, _finding(str(status)))


def _finding(status: str) -> Finding:
    if status == "cancelled":
        return refused(RecordedOutcome.USER_REJECTED, "status cancelled")
    return ran(status == "error", f"status {status}")
