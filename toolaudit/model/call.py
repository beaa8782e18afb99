from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model wrote it: the tool's name and its raw input."""

    tool: str
    input: Mapping[str, Any]
    id: str | None = None
