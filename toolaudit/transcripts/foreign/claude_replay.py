"""claude-replay's exports: a line for each turn of a Claude Code session, calls and results together in its blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, text_of
from toolaudit.transcripts.foreign.recording import NO_RESULT, Recording, ran
from toolaudit.transcripts.outcomes import Signs, classify
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall

NAME = "claude-replay"


def detects(head: Sequence[bytes]) -> bool:
    return any("user_text" in each and isinstance(each.get("blocks"), list) for each in objects(head))


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _turn)


def _turn(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    for block in map(record, items(record(value).get("blocks"))):
        call = record(block.get("tool_call"))
        if not call:
            continue
        id = recording.unnamed()
        timestamp = block.get("timestamp")
        yield from recording.call(call.get("name"), call.get("input"), number, id=id, timestamp=timestamp)
        if call.get("result") is None:
            yield from recording.result(id, NO_RESULT)
        elif call.get("is_error") is True:
            yield from recording.result(id, classify(Signs(True, text_of(call["result"]))))
        else:
            yield from recording.result(id, ran(False, "a result without is_error"))
