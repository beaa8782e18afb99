"""TaskUpdate: changes a task of the list, or takes it off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from toolaudit.structs import replace
from toolaudit.tools import task_list
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input, Maybe
from toolaudit.tools.interface import ToolError, ToolResult, build_tool
from toolaudit.tools.task_list import Items


class TaskUpdateInput(Input):
    taskId: str = Field(description="The task")
    subject: Maybe[str] = Field(None, description="The task in a few words")
    description: Maybe[str] = Field(None, description="What is to be done")
    activeForm: Maybe[str] = Field(None, description="The subject, as something that is being done")
    status: Maybe[Literal["pending", "in_progress", "completed", "deleted"]] = Field(None, description="How far it is")
    owner: Maybe[str] = Field(None, description="Who does it")
    addBlocks: Maybe[list[str]] = Field(None, description="Tasks that wait for this one")
    addBlockedBy: Maybe[list[str]] = Field(None, description="Tasks that this one waits for")
    metadata: Maybe[dict[str, Any]] = Field(None, description="What to keep with the task; null takes a key away")


def call(given: TaskUpdateInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    every = task_list.items(context)
    for name in (given.taskId, *(given.addBlocks or ()), *(given.addBlockedBy or ())):
        if name not in every:
            raise ToolError(f"Task not found: {name}", "no_such_task")
    task_list.change(context, lambda old: _changed(old, given))
    names = {"addBlocks": "blocks", "addBlockedBy": "blockedBy"}
    fields = [names.get(name, name) for name in given.model_dump(exclude_unset=True) if name != "taskId"]
    return ToolResult(f"Updated task #{given.taskId} {', '.join(fields)}".rstrip())


def _changed(old: Items, given: TaskUpdateInput) -> Items:
    if given.taskId not in old:
        return old
    if given.status == "deleted":
        return {
            name: replace(item, blocks=tuple(other for other in item.blocks if other != given.taskId))
            for name, item in old.items()
            if name != given.taskId
        }
    item = old[given.taskId]
    said = {
        "subject": given.subject,
        "description": given.description,
        "active_form": given.activeForm,
        "status": given.status,
        "owner": given.owner,
    }
    kept = {**item.metadata, **(given.metadata or {})}
    changed = replace(
        item,
        **{name: value for name, value in said.items() if value is not None},
        metadata={name: value for name, value in kept.items() if value is not None},
        blocks=tuple(dict.fromkeys((*item.blocks, *(given.addBlocks or ())))),
    )
    new = {**old, item.id: changed}
    for name in given.addBlockedBy or ():
        new[name] = replace(new[name], blocks=tuple(dict.fromkeys((*new[name].blocks, item.id))))
    return new


TOOL = build_tool("TaskUpdate", TaskUpdateInput, call, description="Change a task of the list")
