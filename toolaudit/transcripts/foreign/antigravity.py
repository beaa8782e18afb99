"""Antigravity's trajectories: JSON lines of numbered steps, a call answered by a later step of the tool's own type."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from toolaudit.transcripts.foreign.document import items, objects, record, records
from toolaudit.transcripts.foreign.recording import Recording, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall

NAME = "antigravity"

_SPEECH = frozenset({"PLANNER_RESPONSE", "USER_INPUT", "CHECKPOINT", "CONVERSATION_HISTORY", "SYSTEM_MESSAGE"})
"""Steps that end no call."""

_PARAMETERS = {"CommandLine": "command", "Cwd": "cwd", "DirectoryPath": "path", "AbsolutePath": "path"}
_PARAMETERS |= {"TargetFile": "path", "SearchPath": "path", "Query": "query", "Url": "url", "CodeContent": "content"}
"""Its names of parameters -> the ones that the table of counterparts knows."""


def detects(head: Sequence[bytes]) -> bool:
    return any("step_index" in each and "source" in each and "created_at" in each for each in objects(head))


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _step)


def _step(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    step = record(value)
    for call in map(record, items(step.get("tool_calls"))):
        given = _plain(record(call.get("args")))
        yield from recording.call(call.get("name"), given, number, timestamp=step.get("created_at"))
    if step.get("source") == "MODEL" and step.get("type") not in _SPEECH:
        # No id leads from a step to its call: calls are answered in their order.
        finding = ran(step.get("status") == "ERROR", f"step {step.get('type')}", Grounds.HEURISTIC)
        yield from recording.result(recording.first, finding)


def _plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, whose values are JSON inside of JSON."""
    given: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, str):
            with contextlib.suppress(msgspec.DecodeError, RecursionError):
                value = msgspec.json.decode(value)
        given[_PARAMETERS.get(name, name)] = value
    return given
