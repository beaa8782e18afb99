"""Kimi Code's sessions: JSON lines in which a loop's events are appended to the context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import objects, record, records, string
from toolaudit.transcripts.foreign.recording import Recording, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall

NAME = "kimi"


def detects(head: Sequence[bytes]) -> bool:
    return any(each.get("type") in ("context.append_loop_event", "turn.prompt") for each in objects(head))


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _line)


def _line(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    event = record(record(value).get("event"))
    if event.get("type") == "tool.call":
        id = string(event.get("toolCallId"))
        timestamp = record(value).get("time")
        yield from recording.call(event.get("name"), event.get("args"), number, id=id, timestamp=timestamp)
    elif event.get("type") == "tool.result":
        result = record(event.get("result"))
        failed = result.get("isError") is True
        finding = ran(failed, "isError" if failed else "a result without isError")
        yield from recording.result(event.get("toolCallId"), finding)
