"""ToolSearch: loads the schemas of deferred tools, by their names or by words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools import deferred
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Maybe, Number, OpenInput
from toolaudit.tools.interface import Block, ToolResult, build_tool


class ToolSearchInput(OpenInput):
    tool: ClassVar[str] = "ToolSearch"

    query: str = Field(description="`select:` and names, or words; one with + before it must be there")
    max_results: Maybe[Number] = Field(None, description=f"How many tools, {deferred.FOUND_MAX} by default")


@dataclass(frozen=True, slots=True)
class ToolSearchOutput:
    """The tools whose schemas are loaded now."""

    names: Sequence[str]


def call(
    given: ToolSearchInput, context: ToolUseContext, report: Callable[[Any], None]
) -> ToolResult[ToolSearchOutput]:
    most = deferred.FOUND_MAX if given.max_results is None else max(int(given.max_results), 1)
    found = deferred.search(given.query, context.options.tools, most)
    return ToolResult(ToolSearchOutput([tool.name for tool in found]))


def _block(output: ToolSearchOutput, tool_use_id: str) -> Block:
    content: object = [{"type": "tool_reference", "tool_name": name} for name in output.names]
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content or "No matching deferred tools found"}


TOOL = build_tool(
    "ToolSearch",
    ToolSearchInput,
    call,
    aliases=("MCPSearch",),
    description="Load the schemas of deferred tools",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    map_result_to_block=_block,
)
