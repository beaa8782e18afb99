"""Git worktrees of a session: made, checked and removed by git itself, contained like any command.

A repository can make git run programs (hooks, filters, monitors). So git runs in the sandbox, without hooks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from toolaudit.model.workspace import RealWorkspace
from toolaudit.structs import Struct, replace
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects.commands import find_runner
from toolaudit.tools.interface import ToolError

KEY: Final = "worktree"
"""Where the state of a session keeps the worktree it is in."""

FOLDER: Final = ".claude/worktrees"
"""Where worktrees are made, below the repository's root."""

SECONDS: Final = 60.0
ANSWER_BYTES_MAX: Final = 1 << 20

_GIT: Final = ("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")


class Worktree(Struct):
    """The worktree a session is in, and where it came from."""

    path: str
    branch: str
    base: str
    """The commit it was made from; empty for one that was there before."""
    original: str
    """The working directory to go back to."""


def git(context: ToolUseContext, repository: str, *arguments: str, cwd: str = "") -> str:
    """What git answers about a repository, in `cwd` or at its root. Raises ToolError with its complaint if it fails."""
    runner = context.options.runner or find_runner()
    task = context.tasks.start(
        [*_GIT, *arguments],
        cwd or repository,
        runner,
        command="git",
        writable=(repository,),
        environment={"GIT_TERMINAL_PROMPT": "0", **context.options.environment},
    )
    try:
        ended = task.done.wait(SECONDS)
        task.stop()
        answer = task.text(0, ANSWER_BYTES_MAX).decode(errors="replace").strip()
        if not ended or task.code:
            raise ToolError(answer or f"git {arguments[0]} failed.", "git_failed")
        return answer
    finally:
        context.tasks.forget(task)


def make(name: str, original: str, context: ToolUseContext) -> Worktree:
    """A new worktree, on a branch of its own. Raises ToolError where git or the name makes that impossible."""
    base = git(context, original, "rev-parse", "--verify", "HEAD")
    if ".." in name.split("/"):
        raise ToolError("The name leads out of the folder of worktrees.", "bad_name")
    path, branch = f"{original}/{FOLDER}/{name}", f"worktree-{name.replace('/', '+')}"
    if Path(path).exists():
        raise ToolError(f"{path} is there already. Give it as path.", "worktree_exists")
    git(context, original, "worktree", "add", "-q", "-b", branch, path, base)
    return Worktree(path, branch, base, original)


def remove(left: Worktree, context: ToolUseContext) -> None:
    """Removes a worktree and its branch, whatever they hold."""
    git(context, left.original, "worktree", "remove", "--force", left.path)
    if left.branch:
        git(context, left.original, "branch", "-q", "-D", left.branch)


def unsaved(left: Worktree, context: ToolUseContext) -> str:
    """What a worktree holds that is nowhere else, such as `2 uncommitted files and 1 commit`; empty: nothing."""
    files = len(git(context, left.original, "status", "--porcelain", cwd=left.path).splitlines())
    commits = int(git(context, left.original, "rev-list", "--count", f"{left.base}..HEAD", cwd=left.path))
    counted = [(files, "uncommitted file"), (commits, "commit")]
    return " and ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counted if count)


def current(context: ToolUseContext) -> Worktree | None:
    """The worktree the session is in, or None."""
    found: Worktree | None = context.app.get(KEY)
    return found


def root(context: ToolUseContext) -> str:
    """The directory from which worktrees are made: the one the session began in."""
    found = current(context)
    return context.permissions.workspace.cwd if found is None else found.original


def roots(context: ToolUseContext) -> tuple[str, ...]:
    """What commands may write beside the working directories: the repository of the worktree they are in."""
    found = current(context)
    return () if found is None else (found.original,)


def move(context: ToolUseContext, directory: str) -> ToolUseContext:
    """The context of a session that works in another directory. Raises ToolError where there is no real one."""
    workspace = context.permissions.workspace
    if not isinstance(workspace, RealWorkspace):
        raise ToolError("Only a real workspace can be left for another.", "no_real_workspace")
    moved = replace(workspace, cwd=directory)
    return replace(context, permissions=replace(context.permissions, workspace=moved, directory=""))
