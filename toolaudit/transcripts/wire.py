"""Claude Code's lines as types: only what a call, its result or its mode needs. The rest is checked and skipped.

A typed decoder reads a line in about half the time that building every object of it takes, and is just as strict
about syntax. Fields that are not understood stay `Any` or raw bytes: the format is internal to the client and
changes between versions, so that no value is ever required to be of a certain kind.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Loose: TypeAlias = bool | int | float | str | list[Any] | None
"""What may stand, without harm, where an object is expected."""

_EMPTY = msgspec.Raw(b"")


class Block(msgspec.Struct, gc=False):
    """One content block of a message: here a `tool_use` or a `tool_result`."""

    type: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    is_error: Any = None
    content: msgspec.Raw = _EMPTY
    text: msgspec.Raw = _EMPTY
    """Of a text block; decoded only where the user wrote it."""


class Message(msgspec.Struct, gc=False):
    """The API message of a line."""

    content: list[Block | Loose] | bool | int | float | str | None = None
    first_character: Any = msgspec.field(default=None, name="0")
    """Set where a writer spread the message into a map of its characters."""


class Envelope(msgspec.Struct, gc=False):
    """The line of a sub-agent inside an `agent_progress` line."""

    message: Message | Loose = None


class Progress(msgspec.Struct, gc=False):
    """`data` of a `progress` line."""

    type: Any = None
    hook_event: Any = msgspec.field(default=None, name="hookEvent")
    message: Envelope | Loose = None


class Attachment(msgspec.Struct, gc=False):
    type: Any = None
    hook_event: Any = msgspec.field(default=None, name="hookEvent")
    tool_use_id: Any = msgspec.field(default=None, name="toolUseID")


class PermissionDecision(msgspec.Struct, gc=False):
    """Who decided about a call, in the client's words (seen in 2.1.332); the twin writes `reason_type`."""

    decision: Any = None
    source: Any = None
    reason_type: Any = msgspec.field(default=None, name="reasonType")
    reason_type_twin: Any = msgspec.field(default=None, name="reason_type")
    reason_code: Any = msgspec.field(default=None, name="reasonCode")


class ResultMeta(msgspec.Struct, gc=False):
    """What the stream-json twin says about one result."""

    id: Any = None
    non_execution_kind: Any = None
    permission_decision: PermissionDecision | Loose = None


class Line(msgspec.Struct, gc=False):
    """One line of a session file or of its stream-json twin."""

    type: Any = None
    subtype: Any = None
    message: Message | Loose = None
    data: Progress | Loose = None
    attachment: Attachment | Loose = None
    cwd: Any = None
    session: Any = msgspec.field(default=None, name="sessionId")
    session_twin: Any = msgspec.field(default=None, name="session_id")
    version: Any = None
    version_twin: Any = msgspec.field(default=None, name="claude_code_version")
    timestamp: Any = None
    permission_mode: Any = msgspec.field(default=None, name="permissionMode")
    sidechain: Any = msgspec.field(default=None, name="isSidechain")
    meta: Any = msgspec.field(default=None, name="isMeta")
    """The client wrote the line itself, in the user's place."""
    parent_tool_use: Any = msgspec.field(default=None, name="parent_tool_use_id")
    progress_for: Any = msgspec.field(default=None, name="parentToolUseID")
    tool_use_id: Any = None
    denial_kind: Any = msgspec.field(default=None, name="toolDenialKind")
    denial_reason: Any = msgspec.field(default=None, name="decision_reason_type")
    permission_decision: PermissionDecision | Loose = msgspec.field(default=None, name="permissionDecision")
    result_meta: list[ResultMeta | Loose] | bool | int | float | str | None = msgspec.field(
        default=None, name="tool_result_meta"
    )
    result: msgspec.Raw = msgspec.field(default=_EMPTY, name="toolUseResult")


decode_line = msgspec.json.Decoder(Line).decode
"""Raises msgspec.DecodeError for what is no JSON, msgspec.ValidationError for an unexpected shape, RecursionError."""
