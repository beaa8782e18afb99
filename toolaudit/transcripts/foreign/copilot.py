"""Copilot CLI's events: JSON lines of `{type, data, id, timestamp, parentId}`, with the permission dialog in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, string
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

NAME = "copilot-cli"

_EVENTS = ("session.", "assistant.", "tool.execution_", "permission.", "hook.", "user.", "system.")
_DENIALS = {
    "denied-interactively-by-user": RecordedOutcome.USER_REJECTED,
    "denied-by-rules": RecordedOutcome.RULE_DENIED,
    "denied-by-policy": RecordedOutcome.RULE_DENIED,
    "denied-by-permission-request-hook": RecordedOutcome.HOOK_DENIED,
    "denied-by-content-exclusion-policy": RecordedOutcome.PATH_BLOCKED,
    "denied-no-approval-rule-and-could-not-request-from-user": RecordedOutcome.ASK_UNANSWERED,
}
"""What the dialog ended in -> what that is here. Any other denial counts as a person's."""


def detects(head: Sequence[bytes]) -> bool:
    return any(
        isinstance(each.get("type"), str)
        and each["type"].startswith(_EVENTS)
        and isinstance(each.get("data"), dict)
        and "id" in each
        for each in objects(head)
    )


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    return Recording(NAME, file).follow(records(lines, file), _event)


def _event(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    event = record(value)
    data = record(event.get("data"))
    id = string(data.get("toolCallId"))
    match event.get("type"):
        case "session.start" | "session.resume":
            recording.session = string(data.get("sessionId")) or recording.session
            recording.version = string(data.get("copilotVersion")) or recording.version
            context = record(data.get("context"))
            recording.cwd = string(context.get("cwd")) or recording.cwd
            recording.root = string(context.get("gitRoot")) or recording.cwd
        case "assistant.message":
            for request in map(record, items(data.get("toolRequests"))):
                yield from recording.call(
                    request.get("name"),
                    request.get("arguments"),
                    number,
                    id=string(request.get("toolCallId")),
                    timestamp=event.get("timestamp"),
                    sidechain=bool(data.get("parentToolCallId")),
                )
        case "tool.execution_start":
            yield from recording.call(
                data.get("toolName"), data.get("arguments"), number, id=id, timestamp=event.get("timestamp")
            )
        case "permission.requested":
            recording.asked(record(data.get("permissionRequest")).get("toolCallId"))
        case "permission.completed" if id is not None:
            kind = str(record(data.get("result")).get("kind"))
            if kind.startswith("denied"):
                outcome = _DENIALS.get(kind, RecordedOutcome.USER_REJECTED)
                yield from recording.result(id, refused(outcome, f"permission {kind}"))
        case "tool.execution_complete":
            yield from recording.result(id, _finding(data))


def _finding(data: dict[str, Any]) -> Finding:
    if data.get("success") is False:
        code = record(data.get("error")).get("code")
        if code in ("denied", "rejected"):
            return refused(RecordedOutcome.USER_REJECTED, f"error {code}")
        return ran(True, f"success false, {code or 'no code'}")
    return ran(False, "success")
