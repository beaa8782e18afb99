"""TaskOutput: reads what a command in the background wrote since it was read last, or what an agent reported."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field, model_validator

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.foreground import INLINE_MAX
from toolaudit.tools.inputs import Flag, Input, Maybe, Number
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool

TIMEOUT_MS: Final = 30_000
TIMEOUT_MS_MAX: Final = 600_000


class TaskOutputInput(Input):
    task_id: Maybe[str] = Field(None, description="The task")
    bash_id: Maybe[str] = Field(None, description="The task, by the parameter's former name")
    block: Flag = Field(True, description="Wait for the task to end")
    timeout: Maybe[Number] = Field(None, description=f"Milliseconds to wait, at most {TIMEOUT_MS_MAX}")
    filter: Maybe[str] = Field(None, description="Show only lines that hold this text")

    @model_validator(mode="after")
    def _named(self) -> TaskOutputInput:
        if not (self.task_id or self.bash_id):
            raise ValueError("the required parameter task_id is missing")
        return self

    @property
    def name(self) -> str:
        return self.task_id or self.bash_id or ""


@dataclass(frozen=True, slots=True)
class TaskOutput:
    """How it stands with a task, and what is new."""

    task_id: str
    kind: str
    waited: str
    """success: it has ended; timeout: it has not, in the time to wait; not_ready: nobody waited."""
    status: str
    code: int | None
    text: str


def call(given: TaskOutputInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[TaskOutput]:
    task = context.tasks.get(given.name)
    if task is None:
        raise ToolError(f"No task found with ID: {given.name}", "no_such_task")
    seconds = min(TIMEOUT_MS if given.timeout is None else given.timeout, TIMEOUT_MS_MAX) / 1000
    deadline = time.monotonic() + (seconds if given.block else 0.0)
    while not task.done.wait(min(0.05, max(0.0, deadline - time.monotonic()))) and time.monotonic() < deadline:
        if context.abort.aborted:
            raise ToolError("[Request interrupted by user for tool use]", "aborted")
    ended = task.done.is_set()
    text = task.new_text(INLINE_MAX * 4).decode(errors="replace")
    if given.filter:
        text = "\n".join(line for line in text.split("\n") if given.filter in line)
    waited = "success" if ended else "timeout" if given.block else "not_ready"
    return ToolResult(TaskOutput(task.id, task.kind, waited, task.status, task.code, text.rstrip()))


def _block(output: TaskOutput, tool_use_id: str) -> Block:
    parts = {
        "retrieval_status": output.waited,
        "task_id": output.task_id,
        "task_type": output.kind,
        "status": output.status,
        "exit_code": output.code,
        "output": f"\n{output.text}\n" if output.text else None,
    }
    content = "\n\n".join(f"<{name}>{value}</{name}>" for name, value in parts.items() if value is not None)
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "TaskOutput",
    TaskOutputInput,
    call,
    aliases=("BashOutput", "AgentOutputTool"),
    description="Read the output of a task in the background",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    map_result_to_block=_block,
)
