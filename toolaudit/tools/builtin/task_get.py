"""TaskGet: shows one task of the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from toolaudit.tools import task_list
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input
from toolaudit.tools.interface import ToolError, ToolResult, build_tool


class TaskGetInput(Input):
    taskId: str = Field(description="The task")


def call(given: TaskGetInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    every = task_list.items(context)
    item = every.get(given.taskId)
    if item is None:
        raise ToolError(f"Task not found: {given.taskId}", "no_such_task")
    lines = [f"Task #{item.id}: {item.subject}", f"Status: {item.status}", f"Description: {item.description}"]
    waiting = task_list.blockers(item.id, every)
    lines += [f"Blocked by: {', '.join(f'#{name}' for name in waiting)}"] * bool(waiting)
    lines += [f"Blocks: {', '.join(f'#{name}' for name in item.blocks)}"] * bool(item.blocks)
    return ToolResult("\n".join(lines))


TOOL = build_tool(
    "TaskGet",
    TaskGetInput,
    call,
    description="Show a task of the list",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
)
