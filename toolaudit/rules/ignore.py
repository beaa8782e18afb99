"""Gitignore patterns, as the client reads them in `Read(...)` and `Edit(...)` rules.

    pattern     matches, below the pattern's root
    x           a file or directory of that name at any depth, and what is below it
    x/y  /x     the same, but only at the root: a slash before the last character anchors a pattern
    x/          only what is below a directory x
    *  ?        any run of characters, one character, within one segment
    **/x  x/**/y  any number of directories
    [a-c]       one of these characters
    \\*          the character itself

Measured differences from git: letters match in either case; `!` and `^` do not negate a class; a class that holds a
wildcard, a reversed range or a final backslash matches nothing; braces mean themselves; a character beyond U+FFFF, such
as an emoji, is two, which `??` matches and `?` does not.

Patterns come from files nobody vouches for. Every run of `*` but the last of a segment, and every run of `**/` but the
last of a pattern, is matched leftmost without a way back, which loses no match and keeps the cost quadratic at worst.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from toolaudit.patterns import late

NOWHERE: Final = r"(?!)"
"""A regular expression that matches nothing."""

END: Final = r"(?=/|\Z)"

_TOKEN: Final = late(r"\\(?P<escaped>.)|\[(?P<set>[^\]]*)\]|(?P<star>\*+)|(?P<any>\?)|(?P<plain>.)", re.DOTALL)
_SET_PART: Final = late(r"(?P<kept>\\.|(?<!-)-)|.", re.DOTALL)
_SHORTHANDS: Final = frozenset("dDsSwW")


class Pattern(NamedTuple):
    """A pattern, translated; `body` matches from the start of a segment to the end of one, in folded text."""

    body: str
    floating: bool
    """It may start at any segment, not only at the first one below the root."""
    below: bool
    """It matches only what is below the path it names."""


def fold(text: str) -> str:
    """`text` as the client's matcher sees it: in code units, case differences removed where one stays one."""
    return text.upper() if text.isascii() else "".join(map(_fold, units(text)))


def units(text: str) -> str:
    """`text` with the two halves of a surrogate pair for each character beyond U+FFFF."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, memoryview(data).cast("H")))


def _fold(character: str) -> str:
    upper = character.upper()
    return upper if len(upper) == 1 and (upper >= "\x80" or character < "\x80") else character


def translate(pattern: str) -> Pattern:
    """`pattern`, without a leading `!`, as a regular expression over folded paths."""
    pattern = units(_strip(pattern))
    below = pattern.endswith("/")
    anchored = "/" in pattern[:-1]
    segments = [segment for segment in pattern.split("/") if segment] if "[" not in pattern else _split(pattern)
    floating = not anchored
    if below and segments[-1:] == ["**"]:
        del segments[-1]
    while len(segments) > 1 and segments[0] == "**":
        floating, segments = True, segments[1:]
    if not segments:
        return Pattern(NOWHERE, False, False)
    return Pattern(_join(segments), floating, below)


def _strip(pattern: str) -> str:
    """Without the trailing blanks, which mean nothing unless a backslash stands before them."""
    bare = pattern.rstrip()
    return bare + " " if bare.endswith("\\") and bare != pattern else bare


def _split(pattern: str) -> list[str]:
    """The segments of a pattern with character classes, in which a slash separates nothing."""
    segments = [""]
    for token in _TOKEN.finditer(pattern):
        if token["plain"] == "/":
            segments.append("")
        else:
            segments[-1] += token[0]
    return [segment for segment in segments if segment]


def _join(segments: list[str]) -> str:
    groups: list[list[str]] = [[]]
    for segment in segments[:-1]:
        if segment != "**":
            groups[-1].append(_segment(segment) + "/")
        elif groups[-1] or len(groups) == 1:
            groups.append([])
    groups[-1].append("[^/]+" if segments[-1] == "**" else _segment(segments[-1]))
    first, *rest = ("".join(group) for group in groups)
    if not rest:
        return first
    *middle, last = (f"(?:[^/]+/)*?{group}" for group in rest)
    return first + "".join(f"(?>{group})" for group in middle) + last


def _segment(segment: str) -> str:
    if segment.strip("*") == "":
        return "[^/]+"
    runs = [""]
    for token in _TOKEN.finditer(segment):
        match token.lastgroup:
            case "star":
                runs.append("")
            case "any":
                runs[-1] += "[^/]"
            case "set":
                runs[-1] += _set(token["set"])
            case "escaped" if token["escaped"] in _SHORTHANDS:
                runs[-1] += token[0]
            case "plain" if token[0] in "[\\":
                return NOWHERE
            case _:
                runs[-1] += re.escape(fold(token[token.lastgroup or 0]))
    if len(runs) == 1:
        return runs[0]
    first, *middle, last = runs
    return first + "".join(f"(?>[^/]*?{run})" for run in middle if run) + "[^/]*" + last


def _set(characters: str) -> str:
    if not characters or characters.endswith("\\") or "*" in characters or "?" in characters:
        return NOWHERE
    text = "[" + _SET_PART.sub(lambda part: part["kept"] or re.escape(fold(part[0])), characters) + "]"
    try:
        re.compile(text)
    except re.error:
        return NOWHERE
    return text
