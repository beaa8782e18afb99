from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolaudit.structs import Struct


class ToolCall(Struct):
    """One call as the model wrote it: the tool's name and its raw input."""

    tool: str
    input: Mapping[str, Any]
    id: str | None = None
