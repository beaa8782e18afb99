"""ExitWorktree: leaves the worktree, which stays or is removed, and goes back to where the session was."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from toolaudit.tools import worktrees
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Flag, Input
from toolaudit.tools.interface import ToolError, ToolResult, build_tool

NOTHING = "No-op: there is no active EnterWorktree session to exit. No filesystem changes were made."


class ExitWorktreeInput(Input):
    tool: ClassVar[str] = "ExitWorktree"

    action: Literal["keep", "remove"] = Field(description="What becomes of the worktree and its branch")
    discard_changes: Flag = Field(False, description="Remove it although it holds work that is nowhere else")


def call(given: ExitWorktreeInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    left = worktrees.current(context)
    if (why := validate(given, context)) is not None or left is None:
        raise ToolError(why or NOTHING, "no_worktree" if left is None else "unsaved_work")
    if given.action == "remove":
        worktrees.remove(left, context)
        told = f"Exited and removed worktree at “{left.path}”."
    else:
        told = f"Exited worktree. Your work is preserved at “{left.path}” on branch “{left.branch}”."
    context.app.update(worktrees.KEY, lambda _: None)
    told += f" Session is now back in “{left.original}”."
    return ToolResult(told, context_modifier=partial(worktrees.move, directory=left.original))


def validate(given: ExitWorktreeInput, context: ToolUseContext) -> str | None:
    """Why the worktree can't be left that way, or None."""
    left = worktrees.current(context)
    if left is None:
        return NOTHING
    if given.action == "keep":
        return None
    if not left.base:
        return "This worktree was there before the session; it is not removed. Use action keep."
    if given.discard_changes:
        return None
    try:
        unsaved = worktrees.unsaved(left, context)
    except ToolError as error:
        return f"Whether the worktree holds work can't be told: {error}"
    if not unsaved:
        return None
    return (
        f"Worktree has {unsaved}. Removing will discard this work permanently. Confirm with the user, then set "
        "discard_changes, or keep the worktree."
    )


TOOL = build_tool(
    "ExitWorktree",
    ExitWorktreeInput,
    call,
    description="Leave the worktree",
    is_destructive=lambda given: given.action == "remove",
    validate_input=validate,
)
