"""How the web tools reach the web: through a transport they are given. Without one they are offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from toolaudit.tools.interface import ToolError


@dataclass(frozen=True, slots=True)
class Page:
    """What a server answered."""

    url: str
    status: int
    content_type: str
    body: bytes
    redirect: str = ""
    """Where a redirecting answer points, absolute or relative."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a web search."""

    title: str
    url: str
    excerpt: str = ""


class Transport(Protocol):
    """A way to the web. It follows no redirect: where a request goes is decided anew for each host."""

    def fetch(self, url: str, most_bytes: int, seconds: float) -> Page:
        """Gets a page, at most `most_bytes` of it. Raises ToolError where it can't."""

    def search(self, query: str, seconds: float) -> Sequence[Hit]:
        """Searches the web. Raises ToolError where it can't."""


@dataclass(frozen=True, slots=True)
class Offline:
    """No way to the web."""

    def fetch(self, url: str, most_bytes: int, seconds: float) -> Page:
        raise ToolError("There is no network here: the page was not fetched.", "offline")

    def search(self, query: str, seconds: float) -> Sequence[Hit]:
        raise ToolError("There is no network here: nothing was searched.", "offline")


OFFLINE = Offline()
"""What tools fall back to."""
