"""What each tool shows the auto-mode classifier of a call, from the raw input.

Empty: the tool shows nothing. Such a call is no part of what the classifier sees of a session, and where the classifier
would be asked about it, it is skipped and the call goes the ordinary way (documents, 9.5.2: read-only lookups). A tool
that is not built in and not of an MCP server shows nothing until it says what.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from toolaudit.model import ToolCall

_FIELDS = {
    "Agent": "description prompt subagent_type",
    "Artifact": "file_path content title",
    "Bash": "command",
    "CronCreate": "cron prompt",
    "CronDelete": "id",
    "Edit": "file_path old_string new_string",
    "EnterWorktree": "path name",
    "Monitor": "command",
    "MultiEdit": "file_path edits",
    "NotebookEdit": "notebook_path new_source edit_mode",
    "PowerShell": "command",
    "PushNotification": "message",
    "RemoteTrigger": "action trigger_id body",
    "ScheduleWakeup": "prompt reason",
    "SendMessage": "to message",
    "SendUserFile": "files caption",
    "ShareOnboardingGuide": "content",
    "Skill": "skill args",
    "TaskStop": "task_id",
    "WebFetch": "url prompt",
    "WebSearch": "query",
    "Workflow": "script name args",
    "Write": "file_path content",
}

FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {tool: tuple(fields.split()) for tool, fields in _FIELDS.items()}
)
"""Built-in tool -> the parameters that tell what a call does, in order; a tool that only looks has no row."""


def shown(call: ToolCall) -> str:
    """What `call` shows: the text of its one telling parameter, or its telling parameters as a JSON object."""
    if call.tool.startswith("mcp__"):
        return _object(call.input)
    fields = FIELDS.get(call.tool, ())
    if len(fields) == 1:
        value = call.input.get(fields[0], "")
        return value if isinstance(value, str) else _object({fields[0]: value})
    telling = {name: call.input[name] for name in fields if call.input.get(name) not in (None, "")}
    return _object(telling) if telling else ""


def _object(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str)
