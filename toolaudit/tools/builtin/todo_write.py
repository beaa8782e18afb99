"""TodoWrite: the list of what is to be done, replaced as a whole. The Task tools took its place (documents, 14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input
from toolaudit.tools.interface import Block, ToolResult, build_tool

KEY: Final = "todos"
"""Where the list is kept in the state."""


class Todo(Input):
    content: str = Field(min_length=1, description="What is to be done")
    status: Literal["pending", "in_progress", "completed"] = Field(description="How far it is")
    activeForm: str = Field(min_length=1, description="The same, as something that is being done")


class TodoWriteInput(Input):
    todos: tuple[Todo, ...] = Field(description="The whole list")


def call(given: TodoWriteInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[tuple[Todo, ...]]:
    # A list of which everything is done has served its purpose.
    left = () if all(todo.status == "completed" for todo in given.todos) else given.todos
    context.app.update(KEY, lambda _: left)
    return ToolResult(given.todos)


def _block(output: tuple[Todo, ...], tool_use_id: str) -> Block:
    content = "Todos have been modified successfully. Keep the list up to date and go on with what is next."
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "TodoWrite", TodoWriteInput, call, description="Keep a list of what is to be done", map_result_to_block=_block
)
