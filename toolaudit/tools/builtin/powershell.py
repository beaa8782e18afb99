"""PowerShell: runs a command in PowerShell 7, where it is installed, contained like Bash."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any, Final

from pydantic import Field

from toolaudit.tools import foreground
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.foreground import INLINE_MAX, TIMEOUT_MS_MAX, CommandOutput
from toolaudit.tools.inputs import Flag, Input, Maybe, Number, classifier_text
from toolaudit.tools.interface import ToolError, ToolResult, build_tool

PROGRAM: Final = "pwsh"


class PowerShellInput(Input):
    command: str = Field(description="The command")
    timeout: Maybe[Number] = Field(None, description=f"Milliseconds to wait for it, at most {TIMEOUT_MS_MAX}")
    description: Maybe[str] = Field(None, description="What it does, in a few words")
    run_in_background: Flag = Field(False, description="Start it and go on")
    dangerouslyDisableSandbox: Flag = Field(False, description="Ask to run it outside the sandbox")


def call(given: PowerShellInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[CommandOutput]:
    program = shutil.which(PROGRAM)
    if program is None:
        raise ToolError("PowerShell 7 (pwsh) is not installed here.", "no_pwsh")
    argv = [program, "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", given.command]
    task = foreground.start(argv, given.command, given.description, context)
    if given.run_in_background:
        return ToolResult(foreground.leave(task, f"Command running in background with ID: {task.id}."))
    left = foreground.wait(task, given.timeout, context, report)
    if left is not None:
        return ToolResult(left)
    try:
        foreground.check(task)
        return ToolResult(CommandOutput(foreground.text_of(task)))
    finally:
        context.tasks.forget(task)


TOOL = build_tool(
    "PowerShell",
    PowerShellInput,
    call,
    description="Run a PowerShell command",
    is_enabled=lambda: shutil.which(PROGRAM) is not None,
    max_result_size_chars=INLINE_MAX,
    to_auto_classifier_input=classifier_text("PowerShell"),
    map_result_to_block=foreground.block,
)
