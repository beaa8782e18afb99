"""The result that tells the model why a call was not done.

The sentences begin as the client's do (documents and recordings), so that a reader of transcripts knows them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolaudit.model import Behavior, Decision, ReasonType
from toolaudit.pipeline.state import State

_WRAPPED = "<tool_use_error>{}</tool_use_error>"


def refusal(state: State) -> Mapping[str, Any]:
    """The `tool_result` of a call that a step ended."""
    assert state.end is not None
    return {
        "type": "tool_result",
        "tool_use_id": state.call.id or "",
        "content": _text(state, state.end),
        "is_error": True,
    }


def _text(state: State, end: Decision) -> str:
    tool = state.call.tool
    match state.ended_by:
        case "lookup":
            return _WRAPPED.format(f"Error: No such tool available: {tool}")
        case "abort":
            return end.why
        case "schema":
            return _WRAPPED.format(f"InputValidationError: {tool}: {end.why}")
        case "meaning" if end.behavior is Behavior.INVALID:
            return _WRAPPED.format(f"{tool}: {end.why}")
        case "denial" if state.answer is not None:
            return _answered(state, end)
    if end.reason_type is ReasonType.HOOK:
        feedback = "\n".join(state.heard.texts("feedback"))
        return f"PreToolUse:{tool} hook error: {feedback or end.why}"
    if end.reason_type is ReasonType.CLASSIFIER:
        return f"Permission for this action was denied by the Claude Code auto mode classifier. {end.why}"
    if end.reason_type is ReasonType.MODE:
        return f"Permission to use {tool} has been denied because Claude Code is running in a mode: {end.why}"
    return f"Permission to use {tool} has been denied: {end.why}"


def _answered(state: State, end: Decision) -> str:
    assert state.answer is not None
    if state.answer.by == "person":
        return f"The user doesn't want to proceed with this tool use. {end.why}"
    if state.answer.by == "hook":
        return f"PermissionRequest:{state.call.tool} hook error: {end.why}"
    return f"Claude requested permissions to use {state.call.tool}, but nobody granted it yet: {end.why}"
