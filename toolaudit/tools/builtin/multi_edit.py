"""MultiEdit: several edits of one file, all or none. Older clients had it; Edit took its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from toolaudit.tools import sources
from toolaudit.tools.builtin.edit import SAME, EditOutput, apply, edited
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import edits
from toolaudit.tools.inputs import Flag, Input
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path


class Replacement(Input):
    old_string: str = Field(description="The text to replace")
    new_string: str = Field(description="What to put in its place")
    replace_all: Flag = Field(False, description="Replace it everywhere")


class MultiEditInput(Input):
    file_path: str = Field(description="The path of the file, absolute by preference")
    edits: tuple[Replacement, ...] = Field(min_length=1, description="Applied one after the other, all or none")


def call(given: MultiEditInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[EditOutput]:
    source = sources.load(given.file_path, context)
    first, *others = given.edits
    text = edited(source, first.old_string, first.new_string, first.replace_all, context)
    for other in others:
        if not other.old_string or other.old_string == other.new_string:
            raise ToolError(SAME, "no_change")
        new = edits.tidy(other.new_string, source.place.path)
        text = apply(text, other.old_string, new, other.replace_all, context)
    source.save(text, context)
    return ToolResult(EditOutput(given.file_path, source.text, text, False, source.stale))


def _block(output: EditOutput, tool_use_id: str) -> Block:
    content = f"The file {output.path} has been updated successfully."
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "MultiEdit",
    MultiEditInput,
    call,
    description="Make several edits in one file",
    backfill=backfill_path("file_path"),
    to_auto_classifier_input=lambda given: "\n".join([given.file_path, *(one.new_string for one in given.edits)]),
    map_result_to_block=_block,
)
