"""WebFetch: gets a page over the transport of the session, as text. Without a transport it is offline.

A redirection is followed on the same host only: permission was given for that host. What the model wants to know of the
page is its own matter here; no other model reads the page for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from urllib.parse import urljoin, urlsplit

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects.pages import readable_text
from toolaudit.tools.effects.web import OFFLINE, Page
from toolaudit.tools.inputs import Input, Integer, Maybe, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool

PAGE_BYTES_MAX: Final = 10 << 20
CHARACTERS_MAX: Final = 100_000
"""How much of a page one call shows."""

REDIRECTS_MAX: Final = 10
SECONDS: Final = 60.0

_ERRORS_FROM: Final = 400


class WebFetchInput(Input):
    tool: ClassVar[str] = "WebFetch"

    url: str = Field(description="The page")
    prompt: str = Field(description="What to look for in it")
    offset: Maybe[Integer] = Field(None, description="The character to begin at, for a page too long to show at once")


@dataclass(frozen=True, slots=True)
class WebFetchOutput:
    """A part of a page, or where it has moved."""

    url: str
    text: str
    moved_to: str = ""


def call(given: WebFetchInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[WebFetchOutput]:
    transport = context.options.transport or OFFLINE
    url = _secure(given.url)
    for _ in range(REDIRECTS_MAX):
        page = transport.fetch(url, PAGE_BYTES_MAX, SECONDS)
        if not page.redirect:
            return ToolResult(WebFetchOutput(url, _part(page, max(given.offset or 0, 0))))
        target = urljoin(url, page.redirect)
        if _host(target) != _host(url):
            return ToolResult(WebFetchOutput(url, "", target))
        url = target
    raise ToolError(f"The page redirects more than {REDIRECTS_MAX} times.", "too_many_redirects")


def _secure(url: str) -> str:
    return "https:" + url[len("http:") :] if url[:5].lower() == "http:" else url


def _host(url: str) -> str:
    host = (urlsplit(url).hostname or "").rstrip(".")
    return host.removeprefix("www.")


def _part(page: Page, offset: int) -> str:
    if page.status >= _ERRORS_FROM:
        raise ToolError(f"The server answered with status {page.status}.", f"http_{page.status}")
    text = readable_text(page)
    left = len(text) - offset - CHARACTERS_MAX
    note = f"\n\n[{left} more characters: call again with offset {offset + CHARACTERS_MAX}]" if left > 0 else ""
    return text[offset : offset + CHARACTERS_MAX] + note


def _block(output: WebFetchOutput, tool_use_id: str) -> Block:
    content = output.text
    if output.moved_to:
        content = f"REDIRECT: {output.url} leads to another host: {output.moved_to}. Fetch that if you want it."
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}


TOOL = build_tool(
    "WebFetch",
    WebFetchInput,
    call,
    description="Get a page from the web",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
    max_result_size_chars=CHARACTERS_MAX + 1000,
    to_auto_classifier_input=classifier_text("WebFetch"),
    map_result_to_block=_block,
)
