"""Pages as text: what of a page a model can read."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from toolaudit.tools.effects.web import Page
from toolaudit.tools.interface import ToolError

TEXTS: Final = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/javascript")
"""What is shown as it is, but for HTML."""

_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "svg", "head"})
_BREAKING: Final = frozenset(
    "address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre "
    "section table tr ul".split()
)
_HEADING: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_CHARSET: Final = re.compile(r"charset=\"?([A-Za-z0-9._-]{1,40})")


def readable_text(page: Page) -> str:
    """The text of a page. Raises ToolError where it has none."""
    kind = page.content_type.partition(";")[0].strip().lower()
    if not kind.startswith(TEXTS) and not kind.endswith(("+json", "+xml")):
        raise ToolError(f"The page is no text but {kind or 'of no known type'}.", "no_text")
    found = _CHARSET.search(page.content_type)
    try:
        text = page.body.decode(found[1] if found else "utf-8", "replace")
    except LookupError:
        text = page.body.decode("utf-8", "replace")
    return _without_markup(text) if "html" in kind else text


def _without_markup(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "a":
            self._links.append(dict(attrs).get("href") or "")
        if tag in _BREAKING:
            self.parts.append("\n" + _HEADING.get(tag, "- " if tag == "li" else ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag == "a" and self._links:
            link = self._links.pop()
            if link.startswith(("http:", "https:", "/")) and not self._unseen:
                self.parts.append(f" ({link})")
        if tag in _BREAKING:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)
