"""pi's sessions: JSON lines that form a tree of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, string, text_of
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall, RecordedOutcome

NAME = "pi"

_REJECTED = ("Tool execution was blocked", "Blocked by user", "Tool call rejected")


def detects(head: Sequence[bytes]) -> bool:
    return any(
        each.get("type") == "session" and "cwd" in each and "id" in each and "message" not in each
        for each in objects(head)[:1]
    )


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _entry)


def _entry(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    entry = record(value)
    if entry.get("type") == "session":
        recording.session = string(entry.get("id"))
        recording.cwd = recording.root = string(entry.get("cwd"))
        recording.version = string(str(entry.get("version") or ""))
    elif entry.get("type") == "message":
        yield from _message(recording, record(entry.get("message")), number, entry.get("timestamp"))


def _message(
    recording: Recording, message: dict[str, Any], number: int, timestamp: object
) -> Iterator[RecordedCall | Problem]:
    if message.get("role") == "toolResult":
        yield from recording.result(message.get("toolCallId"), _finding(message))
    for block in map(record, items(message.get("content"))):
        if block.get("type") == "toolCall":
            id = string(block.get("id"))
            yield from recording.call(block.get("name"), block.get("arguments"), number, id=id, timestamp=timestamp)


def _finding(message: dict[str, Any]) -> Finding:
    failed = message.get("isError") is True
    text = text_of(message.get("content"))
    if failed and text.startswith(_REJECTED):
        return refused(RecordedOutcome.USER_REJECTED, text[:60], Grounds.TEXT)
    return ran(failed, "isError" if failed else "a result without isError")
