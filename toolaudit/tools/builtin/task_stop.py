"""TaskStop: ends a command in the background with all that it started, or an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input, Maybe, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool


class TaskStopInput(Input):
    tool: ClassVar[str] = "TaskStop"

    task_id: Maybe[str] = Field(None, description="The task")
    shell_id: Maybe[str] = Field(None, description="The task, by the parameter's former name")

    @property
    def name(self) -> str:
        return self.task_id or self.shell_id or ""


@dataclass(frozen=True, slots=True)
class Stopped:
    """What was ended."""

    task_id: str
    command: str


def call(given: TaskStopInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[Stopped]:
    if (why := validate(given, context)) is not None:
        raise ToolError(why, "no_such_task")
    task = context.tasks.get(given.name)
    assert task is not None
    task.stop()
    return ToolResult(Stopped(task.id, task.command))


def validate(given: TaskStopInput, context: ToolUseContext) -> str | None:
    """Why nothing can be stopped, or None."""
    task = context.tasks.get(given.name)
    if task is None:
        return f"No task found with ID: {given.name}"
    return f"Task {task.id} is not running (status: {task.status})" if task.done.is_set() else None


def _block(output: Stopped, tool_use_id: str) -> Block:
    content = f"Successfully stopped task: {output.task_id} ({output.command})"
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "TaskStop",
    TaskStopInput,
    call,
    aliases=("KillShell", "KillBash"),
    description="Stop a task in the background",
    validate_input=validate,
    to_auto_classifier_input=classifier_text("TaskStop"),
    map_result_to_block=_block,
)
