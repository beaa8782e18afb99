"""Write: puts a whole text into a file, a new one or one that was read before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools import sources
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import edits
from toolaudit.tools.inputs import Input, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path
from toolaudit.tools.sources import Source


class WriteInput(Input):
    tool: ClassVar[str] = "Write"

    file_path: str = Field(description="The path of the file, absolute by preference")
    content: str = Field(description="The whole text of the file")


@dataclass(frozen=True, slots=True)
class WriteOutput:
    """What was written."""

    path: str
    content: str
    before: str | None
    """What stood in the file; None: it was not there."""


def call(given: WriteInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[WriteOutput]:
    source = _checked(given, context)
    content = edits.tidy(given.content, source.place.path)
    # The encoding of the file stays; its line ends are those of the new text (measured).
    source.save(content, context, replace(source.document, crlf=False))
    return ToolResult(WriteOutput(given.file_path, content, source.text if source.there else None))


def _checked(given: WriteInput, context: ToolUseContext) -> Source:
    source = sources.load(given.file_path, context)
    source.check_known(context)
    if source.stale:
        raise ToolError(sources.STALE, "stale")
    return source


def validate(given: WriteInput, context: ToolUseContext) -> str | None:
    """What the file as it is now has against being written over."""
    try:
        _checked(given, context)
    except ToolError as error:
        return str(error)
    return None


def _block(output: WriteOutput, tool_use_id: str) -> Block:
    created = f"File created successfully at: {output.path}"
    content = created if output.before is None else f"The file {output.path} has been updated successfully."
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "Write",
    WriteInput,
    call,
    description="Write a file",
    prompt=lambda context: "Writes a whole file. One that is there already must have been read before.",
    validate_input=validate,
    backfill=backfill_path("file_path"),
    to_auto_classifier_input=classifier_text("Write"),
    map_result_to_block=_block,
)
