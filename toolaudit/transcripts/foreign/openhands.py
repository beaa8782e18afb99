"""OpenHands' event streams: a JSON list of events, or evaluation output with a `history` on each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import beginning, begins, items, record, string, values
from toolaudit.transcripts.foreign.recording import Finding, Recording, parameters, ran, refused
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

NAME = "openhands"

_SPEECH = frozenset(
    "message finish think change_agent_state recall system condensation condensation_request null pause".split()
)
"""Actions that call no tool."""


def detects(head: Sequence[bytes]) -> bool:
    named = (b'"tool_call_metadata"', b'"observation"', b'"wait_for_response"', b'"ActionEvent"')
    start = beginning(head)
    return begins(head) and (b'"action"' in start) and any(name in start for name in named)


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    for item in values(lines, file):
        if isinstance(item, Problem):
            yield item
            continue
        _, value = item
        events = items(value) or items(record(value).get("history"))
        recording = Recording(NAME, file)
        recording.session = string(record(value).get("instance_id"))
        for place, event in enumerate(events, 1):
            # The oldest histories hold pairs of an action and its observation.
            for each in event if isinstance(event, list) else [event]:
                yield from _event(recording, record(each), place)
        yield from recording.rest()


def _event(recording: Recording, event: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    if event.get("kind") == "ActionEvent":
        id = string(event.get("tool_call_id"))
        yield from recording.call(
            event.get("tool_name"), event.get("action"), place, id=id, timestamp=event.get("timestamp")
        )
    elif event.get("kind") in ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent"):
        observation = record(event.get("observation"))
        yield from recording.result(event.get("tool_call_id"), _newer_finding(event, observation))
        _moved(recording, observation)
    elif event.get("observation") is not None:
        _moved(recording, record(event.get("extras")))
        cause = event.get("cause")
        key = f"event {cause}" if isinstance(cause, int) and recording.waits(f"event {cause}") else recording.last
        yield from recording.result(key, _finding(event))
    elif event.get("action") not in (None, *_SPEECH) and event.get("source", "agent") == "agent":
        yield from _call(recording, event, place)


def _moved(recording: Recording, observed: dict[str, Any]) -> None:
    """Takes note of the directory the shell is in after a command."""
    recording.cwd = string(record(observed.get("metadata")).get("working_dir")) or recording.cwd
    recording.root = recording.root or recording.cwd


def _call(recording: Recording, event: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    metadata = record(event.get("tool_call_metadata"))
    name, given = _asked(metadata) if metadata else (event["action"], event.get("args", event))
    id = f"event {event['id']}" if isinstance(event.get("id"), int) else None
    if string(name) not in _SPEECH:
        yield from recording.call(name, given, place, id=id, timestamp=event.get("timestamp"))
        # `confirmed` stands there too where nobody is ever asked.
        state = record(event.get("args")).get("confirmation_state")
        if state == "awaiting_confirmation":
            recording.asked(id)
        elif state == "rejected":
            yield from recording.result(id, refused(RecordedOutcome.USER_REJECTED, "confirmation_state rejected"))


def _asked(metadata: dict[str, Any]) -> tuple[object, object]:
    """The call as the model wrote it: the event repeats it in the runtime's own words."""
    for choice in map(record, items(record(metadata.get("model_response")).get("choices"))):
        for call in map(record, items(record(choice.get("message")).get("tool_calls"))):
            if call.get("id") == metadata.get("tool_call_id"):
                function = record(call.get("function"))
                return function.get("name"), parameters(function.get("arguments"))
    return metadata.get("function_name"), {}


def _finding(event: dict[str, Any]) -> Finding:
    if event["observation"] == "user_rejected":
        return refused(RecordedOutcome.USER_REJECTED, "observation user_rejected")
    if event["observation"] == "error":
        return ran(True, "observation error")
    extras = record(event.get("extras"))
    code = record(extras.get("metadata")).get("exit_code", extras.get("exit_code", event.get("exit_code")))
    return ran(code not in (0, None), f"observation, exit code {code}")


def _newer_finding(event: dict[str, Any], observation: dict[str, Any]) -> Finding:
    if event["kind"] == "UserRejectObservation":
        source = string(event.get("rejection_source")) or "user"
        outcome = RecordedOutcome.HOOK_DENIED if source == "hook" else RecordedOutcome.USER_REJECTED
        return refused(outcome, f"UserRejectObservation by {source[:40]}")
    code = observation.get("exit_code", record(observation.get("metadata")).get("exit_code"))
    failed = event["kind"] == "AgentErrorEvent" or observation.get("is_error") is True or code not in (0, None)
    return ran(failed, f"{event['kind']}, exit code {code}")
