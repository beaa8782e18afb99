"""Conversations as the APIs of Anthropic and OpenAI shape them: a list of messages or items, or an object with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import beginning, begins, items, record, string, text_of, values
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran
from toolaudit.transcripts.outcomes import Signs, classify
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall, RecordedOutcome

NAME = "messages"

_CALLS = (b'"tool_use"', b'"tool_calls"', b'"function_call"', b'"custom_tool_call"', b'"local_shell_call"')
_SHAPES = (b'"role"', b'"call_id"', b'"tool_call_id"')


def detects(head: Sequence[bytes]) -> bool:
    start = beginning(head)
    return begins(head) and any(name in start for name in _SHAPES) and any(name in start for name in _CALLS)


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of each conversation: one in the file, or one on each line, or one message on each line."""
    return Recording(NAME, file).follow(values(lines, file), _conversation)


def _conversation(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    _about(recording, record(value))
    conversation = list(_messages(value))
    for place, message in enumerate(conversation, 1):
        yield from _message(recording, record(message), place if len(conversation) > 1 else number)


def _about(recording: Recording, value: dict[str, Any]) -> None:
    """What some programs write beside their messages: the session and its directory."""
    recording.session = string(value.get("session_id")) or recording.session
    recording.cwd = string(value.get("cwd")) or recording.cwd


def _messages(value: object) -> Iterator[object]:
    if isinstance(value, list):
        yield from value
        return
    outer = record(value)
    inner = record(outer.get("body")) or record(outer.get("request")) or outer
    parts = [part for name in ("messages", "input", "output") for part in items(inner.get(name))]
    parts += [record(choice).get("message") for choice in items(outer.get("choices"))]
    yield from parts or [value]


def _message(recording: Recording, message: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    kind = message.get("type")
    id = string(message.get("call_id")) or string(message.get("id"))
    if kind in ("function_call", "custom_tool_call"):
        yield from recording.call(message.get("name"), message.get("arguments", message.get("input")), place, id=id)
    elif kind == "local_shell_call":
        yield from recording.call(kind, message.get("action"), place, id=id)
    elif isinstance(kind, str) and kind.endswith("_call_output"):
        yield from recording.result(message.get("call_id"), ran(False, "an output", Grounds.HEURISTIC))
    for call in map(record, items(message.get("tool_calls"))):
        function = record(call.get("function")) or record(call.get("custom")) or call
        given = function.get("arguments", function.get("input"))
        yield from recording.call(function.get("name"), given, place, id=string(call.get("id")))
    if "tool" in (message.get("role"), kind) or kind == "tool_result":
        yield from recording.result(message.get("tool_call_id"), ran(False, "a tool message", Grounds.HEURISTIC))
    content = message.get("content") or record(message.get("message")).get("content")
    for block in map(record, items(content)):
        if block.get("type") == "tool_use":
            yield from recording.call(block.get("name"), block.get("input"), place, id=string(block.get("id")))
        elif block.get("type") == "tool_result":
            yield from recording.result(block.get("tool_use_id"), _finding(block))


def _finding(block: dict[str, Any]) -> Finding:
    """What became of a call: Claude Code says in the text of an error why it did not run."""
    if block.get("is_error") is not True:
        return ran(False, f"is_error {block.get('is_error')}")
    finding = classify(Signs(True, text_of(block.get("content"))))
    return ran(True, "is_error True") if finding[0] is RecordedOutcome.EXECUTED_ERROR else finding
