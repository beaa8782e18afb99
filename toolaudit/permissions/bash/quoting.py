"""Which text of a word stands in quotes, with substitutions cut out of it."""

from __future__ import annotations

from toolaudit.structs import Struct

PLACEHOLDER = "\0"
"""Stands for a substitution; no word of a readable command holds it."""


class Quoting(Struct):
    """A word taken apart. Single-quoted text appears nowhere: nothing in it is special."""

    bare: str
    """The text outside quotes."""
    quoted: tuple[str, ...]
    """Each double-quoted stretch, its quotes left out."""


def split(text: str) -> Quoting | None:
    """`text`, one shell word, taken apart; None where a quote or a substitution in it is not closed. Linear time."""
    bare: list[str] = []
    quoted: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "'":
            at = text.find("'", at + 1) + 1
            if at == 0:
                return None
        elif char == '"':
            found: list[str] = []
            end = _double_quoted(text, at + 1, found)
            if end is None:
                return None
            quoted.append("".join(found))
            at = end
        else:
            end = _piece(text, at, bare)
            if end is None:
                return None
            at = end
    return Quoting("".join(bare), tuple(quoted))


def _double_quoted(text: str, at: int, found: list[str]) -> int | None:
    while at < len(text):
        if text[at] == '"':
            return at + 1
        end = _piece(text, at, found)
        if end is None:
            return None
        at = end
    return None


def _piece(text: str, at: int, found: list[str]) -> int | None:
    """Append one character, escape or placeholder to `found`; the index behind it."""
    char = text[at]
    if char == "\\":
        found.append(text[at : at + 2])
        return at + 2
    if char == "`":
        found.append(PLACEHOLDER)
        return _backtick_end(text, at + 1)
    if text.startswith("$(", at):
        found.append(PLACEHOLDER)
        return _parenthesis_end(text, at + 2)
    found.append(char)
    return at + 1


def _backtick_end(text: str, at: int) -> int | None:
    while at < len(text):
        if text[at] == "`":
            return at + 1
        at += 2 if text[at] == "\\" else 1
    return None


def _parenthesis_end(text: str, at: int) -> int | None:
    """The index behind the `)` that closes a substitution; `stack` holds the open quotes and groups."""
    stack = [")"]
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if stack[-1] == '"':
            if char == '"':
                stack.pop()
            elif text.startswith("$(", at):
                stack.append(")")
                at += 1
        elif char == "'":
            at = text.find("'", at + 1)
            if at < 0:
                return None
        elif char == '"':
            stack.append('"')
        elif char == "(":
            stack.append(")")
        elif char == ")":
            stack.pop()
            if not stack:
                return at + 1
        at += 1
    return None
