"""TaskCreate: adds a task to the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from toolaudit.tools import task_list
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input, Maybe
from toolaudit.tools.interface import Block, ToolResult, build_tool
from toolaudit.tools.task_list import Item, Items


class TaskCreateInput(Input):
    subject: str = Field(description="The task in a few words")
    description: str = Field(description="What is to be done")
    activeForm: Maybe[str] = Field(None, description="The subject, as something that is being done")
    metadata: Maybe[dict[str, Any]] = Field(None, description="Anything to keep with the task")


def call(given: TaskCreateInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[Item]:
    made: list[Item] = []

    def add(old: Items) -> Items:
        number = max((int(name) for name in old), default=0) + 1
        item = Item(
            str(number), given.subject, given.description, given.activeForm or "", metadata=given.metadata or {}
        )
        made.append(item)
        return {**old, item.id: item}

    task_list.change(context, add)
    if not made:  # an agent that runs on its own can't change the list
        add(task_list.items(context))
    return ToolResult(made[-1])


def _block(output: Item, tool_use_id: str) -> Block:
    content = f"Task #{output.id} created successfully: {output.subject}"
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool("TaskCreate", TaskCreateInput, call, description="Add a task to the list", map_result_to_block=_block)
