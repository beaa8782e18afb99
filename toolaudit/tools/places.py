"""Where the files of a call are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolaudit.structs import Struct
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.interface import ToolError
from toolaudit.tools.paths import absolute


class Place(Struct):
    """A file's absolute path, under which the session knows it, and what its links lead to."""

    path: str
    resolved: str


def locate(path: str, context: ToolUseContext) -> Place:
    """The place of a path as it was given. Raises ToolError where its links lead in a circle."""
    workspace = context.permissions.workspace
    full = absolute(path, workspace, context.cwd)
    try:
        return Place(full, workspace.hops(full)[-1])
    except (OSError, ValueError) as error:
        raise ToolError(f"Where the links of {full} lead can't be told.", "link_loop") from error


def locate_to_write(path: str, context: ToolUseContext) -> Place:
    """The same for a file that will be written.

    A path in a working directory must not lead out of it: a link may have been made since the call was decided about.
    """
    place = locate(path, context)
    if is_inside(place.path, context) and not is_inside(place.resolved, context, resolved=True):
        raise ToolError(f"The links of {place.path} lead out of the working directories.", "link_out")
    return place


def is_inside(path: str, context: ToolUseContext, *, resolved: bool = False) -> bool:
    """Whether an absolute path is in a working directory or is one; `resolved`: in what they resolve to."""
    workspace = context.permissions.workspace
    roots = working_directories(context)
    if resolved:
        roots = tuple(workspace.resolve(root) for root in roots)
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def working_directories(context: ToolUseContext) -> tuple[str, ...]:
    """The session's working directory and those that were added to it."""
    permissions = context.permissions
    added = (directory.path for directory in permissions.policy.directories)
    return (permissions.workspace.cwd, *(path for path in added if permissions.workspace.is_dir(path)))


def backfill_path(name: str) -> Any:
    """What makes the path in parameter `name` absolute for hooks and permissions."""

    def backfill(raw: Mapping[str, Any], context: ToolUseContext) -> Mapping[str, Any]:
        given = raw.get(name)
        if not isinstance(given, str) or not given.strip():
            return raw
        return {**raw, name: absolute(given, context.permissions.workspace, context.cwd)}

    return backfill
