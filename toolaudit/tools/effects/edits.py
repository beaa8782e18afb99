"""Replacing one text by another in a file's text, the way the client does it. Pure functions; every rule measured.

blanks   those at the end of a new line are dropped, but in Markdown, where they mean something
quotes   straight ones find curly ones; the new text then gets curly ones too
lines    a text that is replaced by nothing takes the end of its line with it, where it stands before one
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from toolaudit.model.versions import NEWEST, Difference, Version

MARKDOWN: Final = (".md", ".mdx")

_BLANKS: Final = re.compile(r"[^\S\n]+(?=\n|\Z)")
_STRAIGHT: Final = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_CURLY: Final = {'"': ("\u201c", "\u201d"), "'": ("\u2018", "\u2019")}
_OPENERS: Final = frozenset(" \t\n\r([{\u2013\u2014")


@dataclass(frozen=True, slots=True)
class Found:
    """The text of an edit as it stands in the file."""

    text: str
    count: int


def find(text: str, old: str, version: Version) -> Found | None:
    """What `old` means in `text`, and how often that stands there; None: not at all."""
    old = old.replace("\r\n", "\n")
    if old in text:
        return Found(old, text.count(old))
    plain, wanted = text.translate(_STRAIGHT), old.translate(_STRAIGHT)
    at = plain.find(wanted)
    if at >= 0:
        return Found(text[at : at + len(wanted)], plain.count(wanted))
    return _find_loosely(text, old) if version.has(Difference.EDIT_IGNORES_BLANKS) else None


def _find_loosely(text: str, old: str) -> Found | None:
    lines = [re.escape(line.rstrip().translate(_STRAIGHT)) for line in old.split("\n")]
    pattern = re.compile(r"[^\S\n]*\n".join(lines))
    matches = list(pattern.finditer(text.translate(_STRAIGHT)))
    if not matches:
        return None
    return Found(text[matches[0].start() : matches[0].end()], len(matches))


def replace(text: str, found: Found, old: str, new: str, *, everywhere: bool = False) -> str:
    """`text` with what was found for `old` replaced by `new`, once or everywhere."""
    actual = found.text
    if actual != old:
        new = curl(new, actual)
    if not new and not actual.endswith("\n") and actual + "\n" in text:
        actual += "\n"
    return text.replace(actual, new, -1 if everywhere else 1)


def foretold(text: str | None, old: str, new: str, path: str, *, everywhere: bool) -> str | None:
    """What stands in the file at `path` after an edit of its `text`; None: not known, before or after."""
    new = tidy(new, path)
    if not old:
        return new
    if text is None:
        return None
    # Line ends are no matter to an edit, and what a session knows of a file is compared without them.
    text = text.replace("\r\n", "\n")
    found = find(text, old, NEWEST)
    return None if found is None else replace(text, found, old, new, everywhere=everywhere)


def curl(new: str, actual: str) -> str:
    """`new` with the kinds of quotes made curly that are curly in `actual`."""
    for straight, (opening, closing) in _CURLY.items():
        if opening in actual or closing in actual:
            new = "".join(
                (opening if _opens(new, at) else closing) if character == straight else character
                for at, character in enumerate(new)
            )
    return new


def _opens(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in _OPENERS


def tidy(new: str, path: str) -> str:
    """`new` without blanks at the ends of its lines, where the file is no Markdown."""
    return new if path.lower().endswith(MARKDOWN) else _BLANKS.sub("", new)
