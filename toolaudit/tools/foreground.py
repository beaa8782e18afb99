"""A command that a tool waits for: how long, and in which words its end is told. Bash and PowerShell share it.

Sources: documents, 13; wording and order measured.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from toolaudit.tools import worktrees
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects.background import BACKGROUND_SECONDS, KEPT_BYTES_MAX, Task
from toolaudit.tools.effects.commands import find_runner
from toolaudit.tools.interface import Block, ToolError
from toolaudit.tools.places import working_directories

INLINE_MAX: Final = 30_000
"""The most characters of output that stay inline; of a failed command, what comes after them is lost (measured)."""

TIMEOUT_MS: Final = 120_000
TIMEOUT_MS_MAX: Final = 600_000

_WAIT_SECONDS: Final = 0.05
_TERMINATED: Final = 143
_KILLED: Final = 137


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What came of a command that was run, or was left running."""

    output: str
    task_id: str = ""
    """Set where it runs in the background."""
    note: str = ""
    image: Block | None = None


def start(
    argv: Sequence[str] | Callable[[int], Sequence[str]], command: str, description: str | None, context: ToolUseContext
) -> Task:
    """Starts a command where the shell stands, contained. Raises ToolError where that is impossible."""
    return context.tasks.start(
        argv,
        context.cwd,
        context.options.runner or find_runner(),
        command=command,
        description=description or "",
        writable=(*working_directories(context), *worktrees.roots(context)),
        environment={"CLAUDECODE": "1", "GIT_EDITOR": "true", **context.options.environment},
    )


def leave(task: Task, told: str) -> CommandOutput:
    """Goes on without waiting for the command."""
    return CommandOutput("", task.id, f"{told} Output is being written to: {task.output}. Stop it with TaskStop.")


def wait(
    task: Task, timeout: float | None, context: ToolUseContext, report: Callable[[Any], None], *, idle: bool = False
) -> CommandOutput | None:
    """Waits for a command, at most `timeout` milliseconds. None: it has ended.

    When time is up, an `idle` command is stopped and any other goes on in the background (measured). An interruption
    stops it with all it started. Raises ToolError where it was stopped.
    """
    seconds = min(timeout if timeout and timeout > 0 else TIMEOUT_MS, TIMEOUT_MS_MAX) / 1000
    deadline = time.monotonic() + seconds
    while not task.done.wait(min(_WAIT_SECONDS, max(0.0, deadline - time.monotonic()))):
        if context.abort.aborted:
            task.stop()
            context.tasks.forget(task)
            raise ToolError("[Request interrupted by user for tool use]", "aborted")
        if time.monotonic() >= deadline:
            return _overdue(task, seconds, context, idle=idle)
        report({"task": task.id, "bytes": Path(task.output).stat().st_size})
    return None


def _overdue(task: Task, seconds: float, context: ToolUseContext, *, idle: bool) -> CommandOutput:
    if idle:
        task.stop()
        text = failure(_TERMINATED, text_of(task), f"Command timed out after {int(seconds)}s")
        context.tasks.forget(task)
        raise ToolError(text, "timeout")
    context.tasks.limit(task, BACKGROUND_SECONDS)
    told = f"Command did not complete within its {int(seconds)}s timeout and was moved to the background"
    return leave(task, f"{told} (ID: {task.id}).")


def check(task: Task, *, benign: bool = False) -> None:
    """Raises ToolError where a command that has ended failed; with `benign`, exit code 1 is an answer."""
    if task.excess:
        raise ToolError(failure(_KILLED, text_of(task), f"Command was killed: {task.excess}."), "killed_for_excess")
    if task.code and not (task.code == 1 and benign):
        raise ToolError(failure(task.code, text_of(task)), f"exit_{task.code}")


def text_of(task: Task) -> str:
    """The output without blank lines around it, as far as it was kept."""
    data = task.text()
    text = data.decode(errors="replace").rstrip()
    size = Path(task.output).stat().st_size
    if size > len(data):
        text += f"\n... [output cut at {KEPT_BYTES_MAX >> 20} MiB of {size} bytes] ..."
    return re.sub(r"\A(?:[^\S\n]*\n)+", "", text)


def failure(code: int, output: str, told: str = "") -> str:
    """What the model is to read of a command that failed; the result budget cuts it in the middle."""
    return "\n".join(filter(None, (f"Exit code {code}", output[:INLINE_MAX], told)))


def block(output: CommandOutput, tool_use_id: str) -> Block:
    """The result block of a command."""
    content: object = "\n".join(filter(None, (output.output, output.note))) or "(Bash completed with no output)"
    if output.image is not None:
        content = [output.image]
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}
