"""Grep: searches texts, a page at a time.

Sources: seeds (250 entries a page, six folders left out); output modes and wording as sessions show them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import disk
from toolaudit.tools.effects.search import Line, Query, search, shown
from toolaudit.tools.inputs import Flag, Input, Integer, Maybe
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path, locate

HEAD_LIMIT: Final = 250
"""The most entries of a page unless the call says otherwise."""

CONTEXT_MAX: Final = 1000
"""The most lines shown around a match."""


class GrepInput(Input):
    pattern: str = Field(description="A regular expression, as ripgrep takes it")
    path: Maybe[str] = Field(None, description="The file or directory to search; the working directory by default")
    glob: Maybe[str] = Field(None, description="Which files, such as *.js or *.{ts,tsx}")
    type: Maybe[str] = Field(None, description="Which type of files, such as py or rust")
    output_mode: Literal["content", "files_with_matches", "count"] = Field(
        "files_with_matches", description="Lines, paths, or how many matching lines in each file"
    )
    before: Maybe[Integer] = Field(None, alias="-B", description="Lines to show before each match")
    after: Maybe[Integer] = Field(None, alias="-A", description="Lines to show after each match")
    around: Maybe[Integer] = Field(None, alias="-C", description="Lines to show before and after each match")
    numbers: Flag = Field(True, alias="-n", description="Show line numbers")
    ignore_case: Flag = Field(False, alias="-i", description="Let letters match in either case")
    multiline: Flag = Field(False, description="Let matches go over line ends")
    head_limit: Maybe[Integer] = Field(None, description=f"Entries to show, {HEAD_LIMIT} by default; 0: all")
    offset: Maybe[Integer] = Field(None, description="Entries to leave out at the beginning")


@dataclass(frozen=True, slots=True)
class GrepOutput:
    """One page of what was found."""

    mode: str
    entries: Sequence[str]
    files: int
    """How many files the page names."""
    matches: int = 0
    """For counts: their sum."""
    applied_limit: int | None = None
    """The limit, where it cut something off."""
    applied_offset: int | None = None


def call(given: GrepInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[GrepOutput]:
    place = locate(given.path or ".", context)
    if not os.path.lexists(place.resolved):
        raise ToolError(f"Path does not exist: {given.path}", "ENOENT")
    query = Query(
        place.resolved,
        given.output_mode,
        given.pattern,
        tuple((given.glob or "").split()),
        given.type or "",
        given.ignore_case,
        given.multiline,
        given.numbers,
        _around(given.before, given.around),
        _around(given.after, given.around),
    )
    lines = _visible(search(query, context), context)
    report({"matches": len(lines)})
    if given.output_mode == "files_with_matches":
        lines = sorted(lines, key=lambda line: (-(disk.modified(line.path) or 0.0), line.path))
    return ToolResult(_page(lines, given, context, named=Path(place.resolved).is_dir()))


def _around(own: int | None, both: int | None) -> int:
    return min(max(own if own is not None else both or 0, 0), CONTEXT_MAX)


def _visible(lines: list[Line], context: ToolUseContext) -> list[Line]:
    """What a deny rule keeps from being read does not show (documents, 4.2)."""
    access = context.permissions.access
    if access is None:
        return lines
    hidden = {path: access.hidden(path) for path in {line.path for line in lines} if path}
    kept = [line for line in lines if not hidden.get(line.path)]
    return [line for at, line in enumerate(kept) if line.path or (at and kept[at - 1].path)]


def _page(lines: list[Line], given: GrepInput, context: ToolUseContext, *, named: bool) -> GrepOutput:
    offset = max(given.offset or 0, 0)
    limit = HEAD_LIMIT if given.head_limit is None or given.head_limit < 0 else given.head_limit
    rest = lines[offset:]
    page = rest[:limit] if limit else rest
    names = shown([line.path for line in page], context)
    if given.output_mode == "files_with_matches":
        entries = names
    else:
        entries = [
            f"{name}:{line.text}" if named and name else line.text for name, line in zip(names, page, strict=True)
        ]
    return GrepOutput(
        given.output_mode,
        entries,
        len({line.path for line in page if line.path}),
        sum(int(line.text) for line in page) if given.output_mode == "count" else 0,
        limit if len(page) < len(rest) else None,
        given.offset or None,
    )


def _block(output: GrepOutput, tool_use_id: str) -> Block:
    paging = [f"limit: {output.applied_limit}"] if output.applied_limit is not None else []
    paging += [f"offset: {output.applied_offset}"] if output.applied_offset is not None else []
    said = ", ".join(paging)
    match output.mode:
        case "files_with_matches":
            head = f"Found {output.files} file{'s' * (output.files != 1)}"
            content = "\n".join([f"{head} {said}".rstrip(), *output.entries]) if output.entries else "No files found"
        case "count":
            total = f"Found {output.matches} total occurrences across {output.files} files."
            content = "\n".join([*output.entries, "", total + f" with pagination = {said}" * bool(said)])
        case _:
            content = "\n".join(output.entries) or "No matches found"
            content += f"\n\n[Showing results with pagination = {said}]" * bool(said)
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "Grep",
    GrepInput,
    call,
    description="Search the texts of files",
    prompt=lambda context: (
        "Searches files with a regular expression. It shows paths, newest first, or lines, or counts. "
        f"A page has {HEAD_LIMIT} entries unless head_limit says otherwise (0: all); use offset for the next page."
    ),
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    backfill=backfill_path("path"),
    map_result_to_block=_block,
)
