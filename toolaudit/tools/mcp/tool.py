"""A server's tool as one of ours: its schema, its annotations and its size of results are the server's word."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp import types
from pydantic import BaseModel, ConfigDict

from toolaudit.tools.context import Options, ToolUseContext
from toolaudit.tools.interface import Block, Tool, ToolError, ToolResult, build_tool
from toolaudit.tools.mcp.connection import Connection

DESCRIPTION_CHARS_MAX: Final = 2048
"""Of a server's description, what the model reads (documents, 13)."""

TOKENS_MAX: Final = 25_000
"""The most tokens of a result, unless `MAX_MCP_OUTPUT_TOKENS` says otherwise (documents, 13)."""

CHARACTERS_PER_TOKEN: Final = 4
RESULT_CHARS_MAX: Final = 500_000
"""How far a server may raise the limit of a tool's results (documents, 13)."""

SIZE: Final = "anthropic/maxResultSizeChars"
_PART: Final = re.compile(r"[^A-Za-z0-9_-]")


class McpInput(BaseModel):
    """Any object: the server knows its schema and checks it."""

    model_config = ConfigDict(extra="allow", frozen=True)


def tools_of(connection: Connection) -> tuple[Tool[Any, Any, Any], ...]:
    """The tools of a connected server, deferred: the model sees names until it asks for more."""
    return tuple(_build(connection, one) for one in connection.tools)


def name_of(server: str, tool: str) -> str:
    """How rules and the model call a server's tool."""
    return f"mcp__{_PART.sub('_', server)}__{_PART.sub('_', tool)}"


def _build(connection: Connection, offered: types.Tool) -> Tool[Any, Any, Any]:
    def call(given: McpInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[list[Block]]:
        result = connection.call(offered.name, given.model_dump(exclude_unset=True))
        blocks = _fitting([_block(part) for part in result.content], _most(context.options))
        if result.is_error:
            raise ToolError("\n".join(str(block.get("text", "")) for block in blocks) or "the tool failed", "mcp_tool")
        return ToolResult(blocks)

    hints = offered.annotations or types.ToolAnnotations()
    return build_tool(
        name_of(connection.name, offered.name),
        McpInput,
        call,
        description=(offered.description or offered.title or "")[:DESCRIPTION_CHARS_MAX],
        is_concurrency_safe=lambda given: hints.read_only_hint is True,
        is_read_only=lambda given: hints.read_only_hint is True,
        # What a server does not say is taken for the worse, as the protocol has it.
        is_destructive=lambda given: hints.read_only_hint is not True and hints.destructive_hint is not False,
        should_defer=True,
        max_result_size_chars=_limit(offered.meta),
        to_auto_classifier_input=lambda given: f"{offered.name} {given.model_dump_json(exclude_unset=True)}",
        map_result_to_block=lambda blocks, id: {"type": "tool_result", "tool_use_id": id, "content": blocks},
        user_facing_name=lambda given: hints.title or offered.title or offered.name,
        source=connection.name,
        json_schema=offered.input_schema,
    )


def _limit(meta: Mapping[str, Any] | None) -> float:
    said = (meta or {}).get(SIZE)
    if isinstance(said, int | float) and not isinstance(said, bool) and said > 0 and math.isfinite(said):
        return min(said, RESULT_CHARS_MAX)
    return TOKENS_MAX * CHARACTERS_PER_TOKEN


def _most(options: Options) -> int:
    tokens = options.number("MAX_MCP_OUTPUT_TOKENS")
    return (TOKENS_MAX if tokens is None else tokens) * CHARACTERS_PER_TOKEN


def _block(part: Any) -> Block:
    if isinstance(part, types.TextContent):
        return {"type": "text", "text": part.text}
    if isinstance(part, types.ImageContent):
        return {"type": "image", "source": {"type": "base64", "media_type": part.mime_type, "data": part.data}}
    return {"type": "text", "text": part.model_dump_json(exclude_none=True)}


def _fitting(blocks: list[Block], most: int) -> list[Block]:
    """The blocks whose texts fit into `most` characters, and a word where something was left out."""
    kept: list[Block] = []
    for block in blocks:
        text = block.get("text")
        if isinstance(text, str):
            if len(text) > most:
                kept.append(
                    {"type": "text", "text": text[:most] + "\n[The rest of the result was left out: too long.]"}
                )
                break
            most -= len(text)
        kept.append(block)
    return kept
