"""Read: texts with line numbers, images, documents, notebooks.

Its results are never kept in a file and shown as a preview: the model would read that file, with Read. Instead it
bounds itself by size and tokens. Sources: documents, 13 and 14; seeds; wording and line numbers measured.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, ClassVar, Final

from pydantic import Field

from toolaudit.model.versions import Difference
from toolaudit.tools.context import FileState, ToolUseContext
from toolaudit.tools.effects import disk, documents, images, notebooks, texts
from toolaudit.tools.inputs import Flag, Input, Integer, Maybe
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.places import Place, backfill_path, locate
from toolaudit.tools.validation import READ_LIMIT

TOKENS_MAX: Final = 25_000
"""The most tokens of text that one call shows, unless the environment says otherwise."""

TOKENS_VARIABLE: Final = "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS"

CHARACTERS_PER_TOKEN: Final = 4
"""By which tokens are estimated."""

LISTED_MAX: Final = 1000
"""How many entries of a directory an older version lists."""

_NARROW_SPACE: Final = "\u202f"
_HALVES: Final = ("AM.png", "PM.png")


class ReadInput(Input):
    tool: ClassVar[str] = "Read"

    file_path: str = Field(description="The path of the file, absolute by preference")
    offset: Maybe[Integer] = Field(
        None, description="The line to start at, counted from 1, for a file too long to read"
    )
    limit: Maybe[Integer] = Field(None, description="How many lines to read, for a file too long to read at once")
    pages: Maybe[str] = Field(None, description="The pages of a PDF to read, such as 3 or 1-5; at most 20")
    allow_large: Maybe[Flag] = Field(None, description="Read a file whole although it is long")


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """What was read, as the model sees it."""

    path: str
    kind: str
    """text, image, document, notebook or directory."""
    content: str | Sequence[Block]
    lines: int = 0
    total_lines: int = 0


def call(given: ReadInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[ReadOutput]:
    place = _find(given.file_path, context)
    extension = PurePosixPath(place.path).suffix.lower()
    try:
        if extension in images.EXTENSIONS:
            return ToolResult(ReadOutput(place.path, "image", [images.read(place.resolved)]))
        if extension == ".pdf":
            return ToolResult(ReadOutput(place.path, "document", [documents.read(place.resolved, given.pages)]))
        if extension == ".ipynb":
            return ToolResult(_notebook(place, context))
        return ToolResult(_text(place, given, context))
    except FileNotFoundError as error:
        told = f"File does not exist. Note: your current working directory is {context.cwd}."
        raise ToolError(told, "ENOENT") from error
    except IsADirectoryError as error:
        if context.options.version.has(Difference.READ_LISTS):
            return ToolResult(_listing(place))
        raise ToolError(f"EISDIR: illegal operation on a directory, read '{place.path}'", "EISDIR") from error


def _find(path: str, context: ToolUseContext) -> Place:
    """The file; where it is missing and named like a screenshot, the one with the other kind of space before AM or PM.

    macOS writes a narrow no-break space there, which a model turns into an ordinary one (seeds; measured).
    """
    place = locate(path, context)
    head, half = place.path[: -len(_HALVES[0])], place.path[-len(_HALVES[0]) :]
    if half in _HALVES and head[-1:] in (" ", _NARROW_SPACE) and not context.permissions.workspace.exists(place.path):
        other = locate(head[:-1] + (_NARROW_SPACE if head[-1] == " " else " ") + half, context)
        if context.permissions.workspace.exists(other.path):
            return other
    return place


def _text(place: Place, given: ReadInput, context: ToolUseContext) -> ReadOutput:
    data, modified = disk.read(place.resolved)
    whole = not given.limit
    if whole and not given.allow_large and len(data) > READ_LIMIT:
        raise ToolError(
            f"File content ({len(data) / 1024:.1f}KB) exceeds maximum allowed size ({READ_LIMIT // 1024}KB). "
            "Use offset and limit to read a part of the file, search it instead, or set allow_large to read it all.",
            "file_too_large",
        )
    document = texts.decode(data)
    lines = document.text.split("\n")
    offset = given.offset if given.offset is not None and given.offset >= 0 else 1
    first = max(offset - 1, 0)
    wanted = lines[first : first + given.limit] if given.limit and given.limit > 0 else lines[first:]
    context.files.put(place.path, FileState(document.text, modified, partial=len(wanted) < len(lines)))
    if not document.text:
        return ReadOutput(place.path, "text", _reminder("the file exists but the contents are empty."))
    if not wanted:
        told = f"the file exists but is shorter than the provided offset ({offset}). The file has {len(lines)} lines."
        return ReadOutput(place.path, "text", _reminder(told), 0, len(lines))
    shown, note = _fitting(wanted, given, context)
    numbered = "\n".join(f"{number}\t{line}" for number, line in enumerate(shown, offset))
    if not document.exact:
        note += (
            "\n\n[This file is not valid UTF-8. Its undecodable bytes show above as U+FFFD. Edit and Write refuse it.]"
        )
    return ReadOutput(place.path, "text", numbered + note, len(shown), len(lines))


def _fitting(lines: list[str], given: ReadInput, context: ToolUseContext) -> tuple[list[str], str]:
    """The lines that fit into the token limit, and the note that says so where not all do."""
    most = _tokens_max(context)
    tokens = estimate_tokens(sum(map(len, lines)) + len(lines))
    if given.allow_large or tokens <= most:
        return lines, ""
    if given.limit or given.offset or not context.options.version.has(Difference.READS_FIRST_PAGE):
        raise ToolError(
            f"File content ({tokens} tokens) exceeds maximum allowed tokens ({most}). Use offset and limit to read a "
            "smaller part of the file, or search it instead.",
            "too_many_tokens",
        )
    room = most * CHARACTERS_PER_TOKEN
    page: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        page.append(line)
    if not page:
        page = [lines[0][: most * CHARACTERS_PER_TOKEN]]
    told = f"PARTIAL view: lines 1-{len(page)} of {len(lines)}. Use offset and limit to read the rest."
    return page, f"\n\n<system-reminder>{told}</system-reminder>"


def estimate_tokens(characters: int) -> int:
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


def _tokens_max(context: ToolUseContext) -> int:
    return context.options.number(TOKENS_VARIABLE) or TOKENS_MAX


def _notebook(place: Place, context: ToolUseContext) -> ReadOutput:
    data, modified = disk.read(place.resolved, notebooks.BYTES_MAX)
    text = texts.decode(data).text
    content = notebooks.show(notebooks.parse(text, place.path))
    context.files.put(place.path, FileState(text, modified))
    return ReadOutput(place.path, "notebook", content)


def _listing(place: Place) -> ReadOutput:
    with os.scandir(place.resolved) as entries:
        some = itertools.islice(entries, LISTED_MAX)
        names = sorted(entry.name + "/" * entry.is_dir(follow_symlinks=False) for entry in some)
    return ReadOutput(place.path, "directory", "\n".join(names))


def _reminder(text: str) -> str:
    return f"<system-reminder>Warning: {text}</system-reminder>"


def _block(output: ReadOutput, tool_use_id: str) -> Block:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": output.content}


TOOL = build_tool(
    "Read",
    ReadInput,
    call,
    description="Read a file: text, image, PDF or notebook",
    prompt=lambda context: (
        "Reads a file. Text comes with line numbers; images, PDF pages and notebooks are shown as they are. "
        f"A file of more than {READ_LIMIT // 1024} KB is read in parts, with offset and limit. "
        "A PDF of more than 10 pages needs pages, at most 20 a call. It does not read directories."
    ),
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    backfill=backfill_path("file_path"),
    max_result_size_chars=math.inf,
    map_result_to_block=_block,
)
