"""Edit: replaces a text in a file. Rules and wording measured; older ones by `Difference`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.model.versions import Difference
from toolaudit.tools import sources
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import edits
from toolaudit.tools.inputs import Flag, Input, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path
from toolaudit.tools.sources import Source

SAME = "No changes to make: old_string and new_string are exactly the same."


class EditInput(Input):
    tool: ClassVar[str] = "Edit"

    file_path: str = Field(description="The path of the file, absolute by preference")
    old_string: str = Field(description="The text to replace; empty to make a new file")
    new_string: str = Field(description="What to put in its place")
    replace_all: Flag = Field(False, description="Replace it everywhere")


@dataclass(frozen=True, slots=True)
class EditOutput:
    """What was changed."""

    path: str
    before: str
    after: str
    everywhere: bool
    stale: bool
    """The file had changed since it was read, elsewhere."""


def call(given: EditInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[EditOutput]:
    source = sources.load(given.file_path, context)
    after = edited(source, given.old_string, given.new_string, given.replace_all, context)
    source.save(after, context)
    stale = source.stale and bool(given.old_string)
    return ToolResult(EditOutput(given.file_path, source.text, after, given.replace_all, stale))


def edited(source: Source, old: str, new: str, everywhere: bool, context: ToolUseContext) -> str:
    """The text of a file after an edit. Raises ToolError where the edit does not apply."""
    if old == new:
        raise ToolError(SAME, "no_change")
    new = edits.tidy(new, source.place.path)
    if not old:
        if source.text:
            raise ToolError("Cannot create new file - file already exists.", "file_exists")
        return new
    if not source.there:
        raise ToolError(f"File does not exist. Note: your current working directory is {context.cwd}.", "ENOENT")
    if source.place.path.endswith(".ipynb"):
        raise ToolError("File is a Jupyter Notebook. Use the NotebookEdit tool to edit this file.", "notebook")
    source.check_known(context)
    found = edits.find(source.text, old, context.options.version)
    if source.stale and not (
        found is not None and found.count == 1 and context.options.version.has(Difference.EDITS_STALE_FILES)
    ):
        raise ToolError(sources.STALE, "stale")
    return apply(source.text, old, new, everywhere, context)


def apply(text: str, old: str, new: str, everywhere: bool, context: ToolUseContext) -> str:
    """`text` after one replacement. Raises ToolError where `old` is not in it, or more than once."""
    found = edits.find(text, old, context.options.version)
    if found is None:
        raise ToolError(f"String to replace not found in file.\nString: {old}", "not_found")
    if found.count > 1 and not everywhere:
        raise ToolError(
            f"Found {found.count} matches of the string to replace, but replace_all is false. Set replace_all, or give "
            f"more of the text around the one you mean.\nString: {old}",
            "not_unique",
        )
    return edits.replace(text, found, old, new, everywhere=everywhere)


def _block(output: EditOutput, tool_use_id: str) -> Block:
    text = f"The file {output.path} has been updated" + (
        ". All occurrences were successfully replaced." if output.everywhere else " successfully."
    )
    if output.stale:
        text += (
            " (note: the file had been modified on disk since you last read it; the edit applied, but the file holds "
            "other changes that you have not seen. Read it before edits that depend on them.)"
        )
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": text}


def validate(given: EditInput, context: ToolUseContext) -> str | None:
    """What the file as it is now has against the edit."""
    try:
        edited(sources.load(given.file_path, context), given.old_string, given.new_string, given.replace_all, context)
    except ToolError as error:
        return str(error)
    return None


TOOL = build_tool(
    "Edit",
    EditInput,
    call,
    description="Replace a text in a file",
    prompt=lambda context: (
        "Replaces old_string by new_string in a file that was read before. old_string must stand in the file exactly "
        "once, unless replace_all is set; give it without line numbers. An empty old_string makes a new file."
    ),
    validate_input=validate,
    backfill=backfill_path("file_path"),
    to_auto_classifier_input=classifier_text("Edit"),
    map_result_to_block=_block,
)
