"""Glob: finds files by their names, the newest first (documents, 13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import disk
from toolaudit.tools.effects.search import Query, search, shown
from toolaudit.tools.inputs import Input, Maybe
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path, locate

FILES_MAX: Final = 100
"""The most files that are shown."""


class GlobInput(Input):
    pattern: str = Field(description="The pattern, such as **/*.js, below the directory")
    path: Maybe[str] = Field(None, description="The directory to search; the working directory by default")


@dataclass(frozen=True, slots=True)
class GlobOutput:
    """The files found."""

    paths: Sequence[str]
    truncated: bool


def call(given: GlobInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[GlobOutput]:
    place = locate(given.path or ".", context)
    if not Path(place.resolved).is_dir():
        raise ToolError(f"Directory does not exist: {given.path}", "ENOTDIR")
    found = search(Query(place.resolved, "files", globs=(_below(given.pattern, place.path),), all_files=True), context)
    access = context.permissions.access
    paths = [line.path for line in found if access is None or not access.hidden(line.path)]
    dated = sorted(((disk.modified(path) or 0.0, path) for path in paths), key=lambda pair: (-pair[0], pair[1]))
    chosen = [path for _, path in dated[:FILES_MAX]]
    return ToolResult(GlobOutput(shown(chosen, context), len(paths) > FILES_MAX))


def _below(pattern: str, root: str) -> str:
    """The pattern below the directory that permission was given for. Raises ToolError where it leads out of it."""
    if pattern.startswith(root.rstrip("/") + "/"):
        pattern = pattern.removeprefix(root.rstrip("/"))
    elif pattern.startswith(("/", "~")):
        raise ToolError("The pattern lies outside the directory to search. Give that directory as path.", "outside")
    if ".." in pattern.split("/"):
        raise ToolError("The pattern leads out of the directory to search. Give that directory as path.", "outside")
    return pattern.removeprefix("./").lstrip("!")


def _block(output: GlobOutput, tool_use_id: str) -> Block:
    lines = list(output.paths) or ["No files found"]
    if output.truncated:
        lines.append("(Results are truncated. Consider using a more specific path or pattern.)")
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": "\n".join(lines)}


TOOL = build_tool(
    "Glob",
    GlobInput,
    call,
    description="Find files by name",
    prompt=lambda context: f"Finds files whose paths match a pattern, newest first, at most {FILES_MAX}.",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    backfill=backfill_path("path"),
    map_result_to_block=_block,
)
