"""Monitor: watches what a command writes, in the background, for a limited time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from pydantic import Field

from toolaudit.tools import foreground
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.foreground import CommandOutput
from toolaudit.tools.inputs import Flag, Maybe, Number, OpenInput, classifier_text
from toolaudit.tools.interface import ToolError, ToolResult, build_tool

TIMEOUT_MS: Final = 300_000
"""How long a source is watched unless the call says otherwise."""

TIMEOUT_MS_MAX: Final = 3_600_000


class MonitorInput(OpenInput):
    tool: ClassVar[str] = "Monitor"

    description: str = Field(description="What is watched")
    command: Maybe[str] = Field(None, description="A command that writes a line for each event")
    ws: Maybe[dict[str, Any]] = Field(None, description="A web socket that sends a message for each event")
    timeout_ms: Maybe[Number] = Field(None, description="For how long, in milliseconds, at least 1000")
    persistent: Flag = Field(False, description="Watch until the session ends")


def call(given: MonitorInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[CommandOutput]:
    if given.command is None:
        raise ToolError("There is no network here: the web socket was not opened.", "offline")
    task = foreground.start(
        ["bash", "--noprofile", "--norc", "-c", given.command], given.command, given.description, context
    )
    if given.persistent:
        return ToolResult(foreground.leave(task, f"Monitor started (task {task.id})."))
    seconds = min(given.timeout_ms or TIMEOUT_MS, TIMEOUT_MS_MAX) / 1000
    context.tasks.limit(task, seconds)
    told = f"Monitor started (task {task.id}, expires in {seconds:g}s unless the source ends first)."
    return ToolResult(foreground.leave(task, told))


TOOL = build_tool(
    "Monitor",
    MonitorInput,
    call,
    description="Watch the output of a command",
    to_auto_classifier_input=classifier_text("Monitor"),
    map_result_to_block=foreground.block,
)
