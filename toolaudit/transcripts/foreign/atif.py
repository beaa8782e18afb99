"""ATIF trajectories (Harbor, Terminal-Bench): one JSON document of steps, sub-agents' trajectories inside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import begins, items, parse_object, record, string, values
from toolaudit.transcripts.foreign.recording import Recording, ran
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import Grounds, RecordedCall

NAME = "atif"

_TYPING = "keystrokes"
"""What terminal agents do instead of calling a tool: they type, perhaps only a part of a command."""

_DEEPEST = 8
"""How deep sub-agents may start sub-agents."""


def detects(head: Sequence[bytes]) -> bool:
    return begins(head, b'"schema_version"', b'"ATIF-')


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    for item in values(lines, file):
        if isinstance(item, Problem):
            yield item
        else:
            yield from _trajectory(record(item[1]), file, 0)


def _trajectory(document: dict[str, Any], file: str, depth: int) -> Iterator[RecordedCall | Problem]:
    recording = Recording(NAME, file)
    agent = record(document.get("agent"))
    recording.session = string(document.get("session_id"))
    recording.version = string(agent.get("version"))
    recording.cwd = string(record(agent.get("extra")).get("cwd"))
    for place, step in enumerate(map(record, items(document.get("steps"))), 1):
        if step.get("is_copied_context") is True:
            continue  # the trajectory that this one continues has told it
        for call in map(record, items(step.get("tool_calls"))):
            yield from recording.call(
                call.get("function_name"),
                call.get("arguments"),
                place,
                id=string(call.get("tool_call_id")),
                timestamp=step.get("timestamp"),
                sidechain=depth > 0,
            )
        if step.get("source") == "agent" and not step.get("tool_calls"):
            yield from _typed(recording, step, place, depth)
        for result in map(record, items(record(step.get("observation")).get("results"))):
            yield from recording.result(result.get("source_call_id"), ran(False, "an observation", Grounds.HEURISTIC))
    yield from recording.rest()
    continued = string(document.get("continued_trajectory_ref"))
    if continued is not None:
        # No path in a recording is followed.
        yield Problem(Trouble.LEFT_OUT, f"goes on in {continued[:80]}, which is read where it is named", file)
    if depth < _DEEPEST:
        for nested in map(record, items(document.get("subagent_trajectories"))):
            yield from _trajectory(nested, file, depth + 1)


def _typed(recording: Recording, step: dict[str, Any], place: int, depth: int) -> Iterator[RecordedCall | Problem]:
    for command in map(record, items(parse_object(step.get("message")).get("commands"))):
        keys = string(command.get("keystrokes"))
        if keys is None:
            continue
        id = recording.unnamed()
        # A line that is sent is a command; anything else is a key pressed inside some program.
        name, given = ("bash", {"command": keys[:-1]}) if keys.endswith("\n") else (_TYPING, {"input": keys})
        yield from recording.call(name, given, place, id=id, timestamp=step.get("timestamp"), sidechain=depth > 0)
        yield from recording.result(id, ran(False, "an observation", Grounds.HEURISTIC))
