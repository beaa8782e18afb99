"""TaskList: shows the list of tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolaudit.tools import task_list
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input
from toolaudit.tools.interface import ToolResult, build_tool
from toolaudit.tools.task_list import Item, Items


class TaskListInput(Input):
    pass


def call(given: TaskListInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    every = task_list.items(context)
    return ToolResult("\n".join(_line(item, every) for item in every.values()) or "No tasks found")


def _line(item: Item, every: Items) -> str:
    owner = f" ({item.owner})" if item.owner else ""
    waiting = task_list.blockers(item.id, every)
    blocked = f" [blocked by {', '.join(f'#{name}' for name in waiting)}]" if waiting else ""
    return f"#{item.id} [{item.status}] {item.subject}{owner}{blocked}"


TOOL = build_tool(
    "TaskList",
    TaskListInput,
    call,
    description="Show the list of tasks",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
)
