"""Bash: runs a command in the sandbox, waits for it or leaves it in the background.

    output      both outputs as they came; beyond the inline limit the result budget keeps it in a file
    failure     `Exit code N` and at most 10,000 characters of the output, its beginning and its end
    directory   a command that succeeds leaves the shell where it ended, as long as that is in a working directory
    time-out    a command that only sleeps is stopped; any other moves to the background
    sed         an edit whose preview was approved is applied as previewed, without a shell

Sources: documents, 13; wording and order measured.
"""

from __future__ import annotations

import base64
import binascii
import re
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import Field, PrivateAttr

from toolaudit.model.versions import Difference
from toolaudit.structs import replace
from toolaudit.tools import command_words, foreground, sleeps, sources
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import images
from toolaudit.tools.effects.background import Task
from toolaudit.tools.foreground import INLINE_MAX, TIMEOUT_MS, TIMEOUT_MS_MAX, CommandOutput
from toolaudit.tools.inputs import Flag, Input, Maybe, Number, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import is_inside
from toolaudit.tools.sed_preview import SedEdit, preview

_TRACKED_MAX: Final = 4096
_DATA_URI: Final = re.compile(rb"\s*data:image/[a-z.+-]{1,20};base64,([A-Za-z0-9+/\s]+={0,2})\s*")


class BashInput(Input):
    tool: ClassVar[str] = "Bash"

    command: str = Field(description="The command")
    timeout: Maybe[Number] = Field(None, description=f"Milliseconds to wait for it, at most {TIMEOUT_MS_MAX}")
    description: Maybe[str] = Field(None, description="What it does, in a few words")
    run_in_background: Flag = Field(False, description="Start it and go on")
    dangerouslyDisableSandbox: Flag = Field(False, description="Ask to run it outside the sandbox")

    _simulated_sed_edit: SedEdit | None = PrivateAttr(None)
    """An approved preview. No input can set it: it comes from `with_preview` only."""

    @property
    def simulated_sed_edit(self) -> SedEdit | None:
        """What the call will write, where a preview of it was made."""
        return self._simulated_sed_edit

    def with_preview(self, edit: SedEdit) -> BashInput:
        """The same call, which will apply `edit` and start nothing."""
        other = self.model_copy()
        other._simulated_sed_edit = edit
        return other


def call(given: BashInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[CommandOutput]:
    if given._simulated_sed_edit is not None:
        return ToolResult(_apply(given._simulated_sed_edit, context))
    task = foreground.start(partial(_argv, given.command), given.command, given.description, context)
    if given.run_in_background:
        return ToolResult(foreground.leave(task, f"Command running in background with ID: {task.id}."))
    idle = sleeps.begins_with_sleep(given.command)
    left = foreground.wait(task, given.timeout, context, report, idle=idle)
    if left is not None:
        return ToolResult(left)
    try:
        return _finished(task, given.command, context)
    finally:
        context.tasks.forget(task)


def _argv(command: str, descriptor: int) -> list[str]:
    """A shell that runs the command and then, where it succeeds, tells where it stands.

    The descriptor is closed for the command itself, which could else claim to have gone elsewhere.
    """
    script = f"eval {shlex.quote(command)} {descriptor}>&- && pwd -P >&{descriptor}"
    return ["bash", "--noprofile", "--norc", "-c", script]


def _finished(task: Task, command: str, context: ToolUseContext) -> ToolResult[CommandOutput]:
    foreground.check(task, benign=command_words.fails_benignly(command))
    if (image := _image(task)) is not None:
        return ToolResult(CommandOutput("", image=image))
    output, modifier = foreground.text_of(task), None
    if not task.code and (directory := _directory(task)) not in ("", context.cwd):
        if is_inside(directory, context) or is_inside(directory, context, resolved=True):
            modifier = _moving(directory)
        else:
            root = context.permissions.workspace.cwd
            output = "\n".join(filter(None, (output, f"Shell cwd was reset to {root}")))
            modifier = _moving("")
    return ToolResult(CommandOutput(output), context_modifier=modifier)


def _moving(directory: str) -> Callable[[ToolUseContext], ToolUseContext]:
    return lambda context: replace(context, permissions=replace(context.permissions, directory=directory))


def _directory(task: Task) -> str:
    """Where the shell stood at the end; empty where it does not say."""
    with Path(task.tracked).open("rb") as stream:
        told = stream.read(_TRACKED_MAX).decode(errors="replace").removesuffix("\n")
    return told if told.startswith("/") and Path(told).is_dir() else ""


def _image(task: Task) -> Block | None:
    """The image in an output: as it is (seeds), or as a data URI (measured), told by its first bytes."""
    data = task.text(0, images.BYTES_MAX * 3 // 2)
    if (uri := _DATA_URI.fullmatch(data)) is not None:
        try:
            data = base64.b64decode(uri[1])
        except binascii.Error:
            return None
    kind = images.media_type(data)
    return None if kind is None or len(data) > images.BYTES_MAX else images.block(data, kind)


def _apply(edit: SedEdit, context: ToolUseContext) -> CommandOutput:
    source = sources.load(edit.path, context)
    source.save(edit.after, context)
    return CommandOutput("")


def previewed(given: BashInput, context: ToolUseContext) -> BashInput | None:
    """An edit with `sed` as a call that holds its result; None: it is no such edit, or can't be tried."""
    try:
        edit = preview(given.command, context)
    except ToolError:
        return None
    return None if edit is None else given.with_preview(edit)


def validate(given: BashInput, context: ToolUseContext) -> str | None:
    """A long sleep at the beginning is refused where Monitor could wait for what it waits for."""
    if given.run_in_background or not context.options.version.has(Difference.LONG_SLEEPS_ARE_BLOCKED):
        return None
    if context.options.tools and all(tool.name != "Monitor" for tool in context.options.tools):
        return None
    found = sleeps.long_sleep(given.command)
    if found is None:
        return None
    seconds, rest = found
    what = f"sleep {seconds} followed by: {rest}" if rest else f"standalone sleep {seconds}"
    return (
        f"Blocked: {what}. To wait for a condition, use Monitor. To wait for a command you started, use "
        "run_in_background."
    )


TOOL = build_tool(
    "Bash",
    BashInput,
    call,
    description="Run a shell command",
    prompt=lambda context: (
        "Runs a command in bash. The working directory stays as the last successful command left it; variables do not. "
        f"It waits {TIMEOUT_MS // 1000} seconds unless timeout says otherwise, at most {TIMEOUT_MS_MAX // 1000}. "
        "Commands that run on are started with run_in_background and read with TaskOutput."
    ),
    is_concurrency_safe=lambda given: command_words.runs_beside_others(given.command) and not given.run_in_background,
    is_read_only=lambda given: command_words.only_reads(given.command),
    is_destructive=lambda given: command_words.removes(given.command),
    validate_input=validate,
    preview=previewed,
    max_result_size_chars=INLINE_MAX,
    to_auto_classifier_input=classifier_text("Bash"),
    map_result_to_block=foreground.block,
)
