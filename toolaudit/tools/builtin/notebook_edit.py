"""NotebookEdit: replaces, inserts or deletes one cell of a notebook. Rules and wording measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from toolaudit.tools import sources
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import notebooks
from toolaudit.tools.inputs import Input, Maybe, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import backfill_path
from toolaudit.tools.validation import find_cell


class NotebookEditInput(Input):
    tool: ClassVar[str] = "NotebookEdit"

    notebook_path: str = Field(description="The path of the notebook, absolute by preference")
    new_source: str = Field(description="The text of the cell")
    cell_id: Maybe[str] = Field(None, description="The cell; a new one goes after it, or first where none is given")
    cell_type: Maybe[Literal["code", "markdown"]] = Field(None, description="Needed for a new cell")
    edit_mode: Literal["replace", "insert", "delete"] = Field("replace", description="What to do")


@dataclass(frozen=True, slots=True)
class NotebookEditOutput:
    """What was done to which cell."""

    path: str
    cell_id: str
    source: str
    mode: str


def call(
    given: NotebookEditInput, context: ToolUseContext, report: Callable[[Any], None]
) -> ToolResult[NotebookEditOutput]:
    source = sources.load(given.notebook_path, context)
    if not source.there:
        raise ToolError(f"Notebook file does not exist: {source.place.path}", "ENOENT")
    if source.known is None:
        raise ToolError(sources.UNREAD, "unread")
    if source.stale:
        raise ToolError(sources.STALE, "stale")
    notebook = notebooks.parse(source.text, source.place.path)
    name = _change(notebook, given)
    source.save(notebooks.write(notebook), context)
    return ToolResult(NotebookEditOutput(given.notebook_path, name, given.new_source, given.edit_mode))


def _change(notebook: Any, given: NotebookEditInput) -> str:
    """Does the edit, and gives the name of the cell."""
    inserting = given.edit_mode == "insert"
    if inserting and given.cell_type is None:
        raise ToolError("Cell type is required when using edit_mode=insert.", "no_cell_type")
    if given.cell_id is None and not inserting:
        raise ToolError("Cell ID must be specified when not inserting a new cell.", "no_cell_id")
    index = -1
    if given.cell_id is not None:
        found = find_cell(notebook.cells, given.cell_id)
        if found is None:
            raise ToolError(f'Cell with ID "{given.cell_id}" not found in notebook.', "no_such_cell")
        index = found
    if inserting:
        cell = notebooks.new_cell(given.cell_type or "code", given.new_source, notebook)
        notebook.cells.insert(index + 1, cell)
        return str(cell.get("id") or f"cell-{index + 1}")
    if given.edit_mode == "delete":
        del notebook.cells[index]
    else:
        cell = notebook.cells[index]
        kind = given.cell_type or cell.cell_type
        fresh = notebooks.new_cell(kind, given.new_source, notebook)
        fresh.update({name: cell[name] for name in ("id", "metadata") if name in cell})
        notebook.cells[index] = fresh
    return given.cell_id or ""


def _block(output: NotebookEditOutput, tool_use_id: str) -> Block:
    told = {"replace": "Updated cell {} with {}", "insert": "Inserted cell {} with {}", "delete": "Deleted cell {}"}
    content = told[output.mode].format(output.cell_id, output.source)
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "NotebookEdit",
    NotebookEditInput,
    call,
    description="Edit a cell of a notebook",
    prompt=lambda context: (
        "Replaces a cell of a notebook that was read before, inserts one after it (edit_mode insert, with cell_type), "
        "or deletes it (edit_mode delete)."
    ),
    backfill=backfill_path("notebook_path"),
    to_auto_classifier_input=classifier_text("NotebookEdit"),
    map_result_to_block=_block,
)
