"""Codex rollouts: JSON lines of `{timestamp, type, payload}`; older ones have the payload's fields on the line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import items, objects, record, records, string, text_of
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall, RecordedOutcome

NAME = "codex"

_LINE_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_result"})
_EXIT = re.compile(r'(?:Process exited with code|[Ee]xit code:?|"exit_code":)\s*(-?\d+)')
_REJECTED = re.compile(r"(?:exec command |patch )?(?:rejected by user|approval denied)", re.IGNORECASE)


def detects(head: Sequence[bytes]) -> bool:
    return any(
        (string(each.get("type")) in _LINE_TYPES and isinstance(each.get("payload"), dict))
        or (string(each.get("type")) in _CALLS and ("call_id" in each or isinstance(each.get("function"), dict)))
        for each in objects(head)
    )


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of one rollout. A forked one repeats its origin's; a compacted one repeats its own: ids tell."""
    return Recording(NAME, file).follow(records(lines, file), _line)


def _line(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    line = record(value)
    payload = record(line["payload"] if isinstance(line.get("payload"), dict) else line)
    kind = string(payload.get("type"))
    if line.get("type") == "session_meta":
        # A fork repeats the lines of its origin, whose session and version are not its own.
        recording.session = recording.session or string(payload.get("id"))
        recording.version = recording.version or string(payload.get("cli_version"))
        recording.cwd = string(payload.get("cwd")) or recording.cwd
        recording.root = recording.root or recording.cwd
    elif line.get("type") == "turn_context":
        recording.cwd = string(payload.get("cwd")) or recording.cwd
        recording.prompted = False if payload.get("approval_policy") == "never" else None
    elif kind in _CALLS:
        yield from _call(recording, number, payload, line.get("timestamp"))
    elif kind in _RESULTS:
        id = payload.get("call_id") or recording.last
        yield from recording.result(id, _finding(payload.get("output", payload.get("result"))))
    elif kind == "exec_command_end":
        failed = payload.get("exit_code") not in (0, None)
        yield from recording.result(payload.get("call_id"), ran(failed, f"exit code {payload.get('exit_code')}"))
    elif kind == "patch_apply_end":
        yield from recording.result(payload.get("call_id"), ran(payload.get("success") is False, "patch_apply_end"))


def _call(
    recording: Recording, number: int, payload: dict[str, Any], timestamp: object
) -> Iterator[RecordedCall | Problem]:
    id = string(payload.get("call_id")) or string(payload.get("id")) or recording.unnamed()
    name: object = payload.get("name") or record(payload.get("function")).get("name")
    if payload["type"] == "web_search_call":
        action = record(payload.get("action"))
        name = "open_page" if action.get("type") == "open_page" else "web_search_call"
        yield from recording.call(name, action, number, id=id, timestamp=timestamp)
        yield from recording.result(id, ran(payload.get("status") == "failed", f"status {payload.get('status')}"))
    elif payload["type"] == "local_shell_call":
        yield from recording.call("local_shell_call", payload.get("action"), number, id=id, timestamp=timestamp)
    else:
        arguments = payload.get("arguments", payload.get("input"))
        yield from recording.call(name, arguments, number, id=id, timestamp=timestamp)


def _finding(output: object) -> Finding:
    outer = record(output)
    code = outer.get("exitCode", record(outer.get("metadata")).get("exit_code"))
    if isinstance(code, int):
        return ran(code != 0, f"exit code {code}")
    text = text_of(items(output) or output)
    if _REJECTED.match(text):
        return refused(RecordedOutcome.USER_REJECTED, text[:60], Grounds.TEXT)
    found = _EXIT.search(text)
    if found:
        return ran(found[1] != "0", found[0], Grounds.TEXT)
    return ran(False, "a result", Grounds.HEURISTIC)
