"""The parser, and the one way to its nodes: children with every byte between them accounted for."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from toolaudit.patterns import late
from toolaudit.shell.state import State

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_BEYOND = late("[^\\x00-\xff]")
BLANKS = late(r"[ \t]*")
BLANKS_AND_NEWLINES = late(r"[ \t\n]*")
CONTINUED_BLANKS = late(r"(?:[ \t]|\\\n)*[ \t](?:[ \t]|\\\n)*")
"""A line continuation is nothing at all to bash, so it separates only with a blank beside it."""


@cache
def _parser(use: str) -> Parser:
    """The parser for one use. Loaded for the first text that needs a tree: flat ones do without, and loading it costs
    more than deciding them.
    """
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(data: bytes) -> Node:
    """The root of the tree for a whole text. Errors in it are marked, not raised."""
    return _parser("whole").parse(harmless(data)).root_node


def parse_range(data: bytes, start: int, end: int) -> Node:
    """The root of the tree for a part of a text; its offsets are those of the whole."""
    from tree_sitter import Point, Range

    parser = _parser("range")
    parser.included_ranges = [Range(Point(0, start), Point(0, end), start, end)]
    return parser.parse(harmless(data)).root_node


def harmless(data: bytes) -> bytes:
    """`data` with a stand-in of as many bytes for each character beyond U+00FF, a letter for a letter.

    The grammar's scanner looks characters up in a table that ends there: beyond it lies anything, or nothing, and then
    the process ends (five bytes suffice). To bash all of them are parts of words.
    """
    if data.isascii():
        return data
    return _BEYOND.sub(_stand_in, data.decode("utf-8", "surrogatepass")).encode()


def _stand_in(match: re.Match[str]) -> str:
    character = match[0]
    two, one = ("é", "e") if character.isalnum() else ("×", "_")
    return {2: two, 3: two + one, 4: two + two}[len(character.encode("utf-8", "surrogatepass"))]


def children(state: State, node: Node, *, newlines: bool) -> list[Node]:
    """The children of `node` without comments, after checking that nothing hides between, before or behind them.

    INVARIANT: every byte of `node` lies in a child handed out, in a comment, or in a gap of blanks; an anonymous
    child is its own text.
    """
    nodes = []
    position = node.start_byte
    source = state.source
    for child in node.children:
        start = child.start_byte
        if start != position:
            check_gap(state, position, start, newlines=newlines)
        position = child.end_byte
        if child.is_named:
            if child.type == "comment":
                check_comment(state, start, position)
                continue
        elif source[start:position] != child.type:
            raise state.refusal("token", child.type, start, position)
        nodes.append(child)
    if position != node.end_byte:
        check_gap(state, position, node.end_byte, newlines=newlines)
    return nodes


def check_gap(state: State, start: int, end: int, *, newlines: bool) -> None:
    """Only blanks may stand between tokens, and newlines where the grammar has them."""
    allowed = BLANKS_AND_NEWLINES if newlines else BLANKS
    if allowed.fullmatch(state.source, start, end):
        return
    if CONTINUED_BLANKS.fullmatch(state.source, start, end):
        return
    if newlines and _continued_lines(state.source, start, end):
        return
    raise state.refusal("gap", "gap", start, end)


def _continued_lines(source: str, start: int, end: int) -> bool:
    """Blanks, newlines and continuations, where the text or a line starts with each continuation that has no blank."""
    text = source[start:end]
    if text.replace("\\\n", "").strip(" \t\n"):
        return False
    at_line_start = start == 0 or source[start - 1] == "\n"
    return at_line_start or text[0] in " \t\n"


def check_comment(state: State, start: int, end: int) -> None:
    """A comment starts where a word could and reaches to the end of its line."""
    source = state.source
    starts_a_word = start == state.start or source[start - 1] in " \t\n;&|()"
    if source[start] != "#" or not starts_a_word or "\n" in source[start:end]:
        raise state.refusal("comment", "comment", start, end)
    if end != state.end and source[end] != "\n":
        raise state.refusal("comment", "comment", start, end)
