"""EnterWorktree: makes a git worktree, or takes one that is there, and works in it from the next call on."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools import worktrees
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input, Maybe, classifier_text
from toolaudit.tools.interface import ToolError, ToolResult, build_tool
from toolaudit.tools.places import locate
from toolaudit.tools.worktrees import Worktree, git

ALREADY = (
    "Already in a worktree session. Pass `path` to switch into another existing worktree, or use ExitWorktree to leave "
    "this one first."
)


class EnterWorktreeInput(Input):
    tool: ClassVar[str] = "EnterWorktree"

    name: Maybe[str] = Field(None, description="The name of a new worktree; one is made up by default")
    path: Maybe[str] = Field(None, description="A worktree of this repository that is there already")


def call(given: EnterWorktreeInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    if (why := validate(given, context)) is not None:
        raise ToolError(why, "in_worktree")
    before = worktrees.current(context)
    original = before.original if before is not None else context.permissions.workspace.cwd
    if given.path is not None:
        entered = _existing(given.path, original, context)
        told = f"Switched to worktree at “{entered.path}”"
    else:
        entered = worktrees.make(given.name or f"session-{secrets.token_hex(4)}", original, context)
        told = f"Created worktree at “{entered.path}” on branch “{entered.branch}”"
    # Made before the state is changed: a context that can't move must not believe that it did.
    worktrees.move(context, entered.path)
    context.app.update(worktrees.KEY, lambda _: entered)
    told += ". The session is now working in the worktree. Use ExitWorktree to leave it."
    return ToolResult(told, context_modifier=partial(worktrees.move, directory=entered.path))


def _existing(path: str, original: str, context: ToolUseContext) -> Worktree:
    resolved = locate(path, context).resolved
    listed = git(context, original, "worktree", "list", "--porcelain").splitlines()
    if f"worktree {resolved}" not in listed:
        raise ToolError(f"{resolved} is no worktree of this repository.", "no_worktree")
    return Worktree(resolved, git(context, original, "branch", "--show-current", cwd=resolved), "", original)


def validate(given: EnterWorktreeInput, context: ToolUseContext) -> str | None:
    """Why no worktree can be entered now, or None."""
    return ALREADY if given.path is None and worktrees.current(context) is not None else None


TOOL = build_tool(
    "EnterWorktree",
    EnterWorktreeInput,
    call,
    description="Work in a git worktree",
    validate_input=validate,
    to_auto_classifier_input=classifier_text("EnterWorktree"),
)
