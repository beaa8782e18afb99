"""WebSearch: searches the web over the transport of the session. Without a transport it is offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects.web import OFFLINE, Hit
from toolaudit.tools.inputs import Input, Maybe, classifier_text
from toolaudit.tools.interface import Block, ToolResult, build_tool

SECONDS: Final = 60.0
HITS_MAX: Final = 50


class WebSearchInput(Input):
    tool: ClassVar[str] = "WebSearch"

    query: str = Field(description="What to search for")
    allowed_domains: Maybe[list[Any]] = Field(None, description="Show only results from these hosts and below")
    blocked_domains: Maybe[list[Any]] = Field(None, description="Show no results from these hosts and below")


@dataclass(frozen=True, slots=True)
class WebSearchOutput:
    """What was found."""

    query: str
    hits: Sequence[Hit]


def call(given: WebSearchInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[WebSearchOutput]:
    found = (context.options.transport or OFFLINE).search(given.query, SECONDS)
    hits = [
        hit
        for hit in found
        if (not given.allowed_domains or _below(hit.url, given.allowed_domains))
        and not _below(hit.url, given.blocked_domains or [])
    ]
    return ToolResult(WebSearchOutput(given.query, hits[:HITS_MAX]))


def _below(url: str, domains: Sequence[object]) -> bool:
    host = (urlsplit(url).hostname or "").rstrip(".")
    names = [str(domain).lower().strip(".") for domain in domains]
    return any(host == name or host.endswith(f".{name}") for name in names)


def _block(output: WebSearchOutput, tool_use_id: str) -> Block:
    lines = [f"- {hit.title} ({hit.url})" + f": {hit.excerpt}" * bool(hit.excerpt) for hit in output.hits]
    content = "\n".join([f'Web search results for query: "{output.query}"', "", *(lines or ["No links found."])])
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "WebSearch",
    WebSearchInput,
    call,
    description="Search the web",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    to_auto_classifier_input=classifier_text("WebSearch"),
    map_result_to_block=_block,
)
