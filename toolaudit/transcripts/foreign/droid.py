"""Droid's sessions: the stored ones, whose messages are Anthropic's, and the stream it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, string
from toolaudit.transcripts.foreign.recording import Recording, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall

NAME = "droid"


def detects(head: Sequence[bytes]) -> bool:
    return any(
        each.get("type") == "session_start" or (each.get("type") == "tool_call" and "toolCallId" in each)
        for each in objects(head)
    )


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _line)


def _line(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    line = record(value)
    timestamp, id = line.get("timestamp"), string(line.get("toolCallId"))
    match line.get("type"):
        case "session_start":
            recording.session = string(line.get("id"))
            recording.version = string(line.get("version"))
            recording.cwd = recording.root = string(line.get("cwd"))
        case "tool_call":
            recording.session = string(line.get("session_id"))
            yield from recording.call(line.get("toolName"), line.get("parameters"), number, id=id, timestamp=timestamp)
        case "tool_result":
            code = record(line.get("value")).get("exitCode")
            yield from recording.result(id, ran(code not in (0, None), f"exitCode {code}"))
        case "message":
            for block in map(record, items(record(line.get("message")).get("content"))):
                if block.get("type") == "tool_use":
                    id = string(block.get("id"))
                    given = block.get("input")
                    yield from recording.call(block.get("name"), given, number, id=id, timestamp=timestamp)
                elif block.get("type") == "tool_result":
                    failed = block.get("is_error") is True
                    yield from recording.result(block.get("tool_use_id"), ran(failed, f"is_error {failed}"))
