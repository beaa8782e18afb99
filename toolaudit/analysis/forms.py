"""What a word of each kind looks like, as small automata: only such words can be asked about, so only they count."""

from __future__ import annotations

from typing import Final

from toolaudit.analysis.automaton import FRESH

_LOWER: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_" + FRESH)
_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-" + FRESH)
_MCP: Final = "mcp__"


class Text:
    """Any text at all, also none."""

    needed = ""

    def step(self, state: int, character: str) -> int | None:
        return 0

    def accepts(self, state: int) -> bool:
        return True


class Command:
    """A command as patterns see it: no blank at either end, no run of blanks, no tab."""

    needed = ""

    def step(self, state: int, character: str) -> int | None:
        if character == " ":
            return 2 if state == 1 else None
        return None if character == "\t" else 1

    def accepts(self, state: int) -> bool:
        return state == 1


class PathName:
    """An absolute path without empty segments, `.` and `..`; not the root itself."""

    needed = "/"

    def step(self, state: int, character: str) -> int | None:
        # 0 start, 1 behind a slash, 2 in a segment, 3 behind `/.`, 4 behind `/..`
        if character == "/":
            return 1 if state in (0, 2) else None
        if state == 0:
            return None
        if character == ".":
            return {1: 3, 3: 4}.get(state, 2)
        return 2

    def accepts(self, state: int) -> bool:
        return state == 2


class Host:
    """A host name in lower case: labels with dots between them."""

    needed = "."

    def step(self, state: int, character: str) -> int | None:
        if character == ".":
            return 0 if state else None
        return 1 if character in _LOWER else None

    def accepts(self, state: int) -> bool:
        return state == 1


class ServerTool:
    """The name of a server's tool, `mcp__SERVER__TOOL`, in which neither part begins, ends or goes on with two `_`.

    Other names do not tell where the server ends, and deny and allow rules read them differently.
    """

    needed = "_"

    def step(self, state: int, character: str) -> int | None:
        # 0 to 4 in `mcp__`; then the server: 5 begins, 6 inside, 7 behind `_`; the tool: 8, 9, 10
        if state < 5:
            return state + 1 if character == _MCP[state] else None
        if character == "_":
            return {6: 7, 7: 8, 9: 10}.get(state)
        if character not in _NAME:
            return None
        return 6 if state < 8 else 9

    def accepts(self, state: int) -> bool:
        return state == 9


class Nothing:
    """The empty word alone: a tool whose calls no rule tells apart."""

    needed = ""

    def step(self, state: int, character: str) -> int | None:
        return None

    def accepts(self, state: int) -> bool:
        return True
