from __future__ import annotations

import json

from toolaudit.model import ToolCall

_LIMIT = 500
"""Characters; a report names a call, it does not repeat its input."""

_NAMING = ("command", "file_path", "notebook_path", "path", "url", "pattern", "query", "skill", "subagent_type")
"""The parameters by which a person recognises a call, the first one that is there."""


def subject(call: ToolCall) -> str:
    """What the call is about, in a line: the command, the path, the address, or else the whole input."""
    for name in _NAMING:
        value = call.input.get(name)
        if isinstance(value, str):
            return _cut(value)
    return _cut(json.dumps(dict(call.input), ensure_ascii=False, default=str)) if call.input else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LIMIT else text[:_LIMIT] + f"… ({len(text):,} characters)"
