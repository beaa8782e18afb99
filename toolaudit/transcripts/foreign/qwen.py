"""Qwen Code's sessions: JSON lines that look like Claude Code's and hold messages as Gemini's API shapes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, string
from toolaudit.transcripts.foreign.recording import Recording, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall

NAME = "qwen"


def detects(head: Sequence[bytes]) -> bool:
    return any(
        "sessionId" in each and ("parts" in record(each.get("message")) or "systemPayload" in each)
        for each in objects(head)
    ) or any(b'"sessionId"' in line and b'"message":{"role":"user","parts":[' in line for line in head[:1])


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of a session. Those of messages that were taken back did run, so they count."""
    return Recording(NAME, file).follow(records(lines, file), _line)


def _line(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    line = record(value)
    recording.session = recording.session or string(line.get("sessionId"))
    recording.version = string(line.get("version")) or recording.version
    recording.cwd = string(line.get("cwd")) or recording.cwd
    recording.root = recording.root or recording.cwd
    for part in map(record, items(record(line.get("message")).get("parts"))):
        call, response = record(part.get("functionCall")), record(part.get("functionResponse"))
        if call:
            id = string(call.get("id"))
            timestamp = line.get("timestamp")
            yield from recording.call(call.get("name"), call.get("args"), number, id=id, timestamp=timestamp)
        elif response:
            failed = "error" in record(response.get("response"))
            finding = ran(failed, "response with an error" if failed else "response without an error")
            yield from recording.result(response.get("id") or recording.first, finding)
