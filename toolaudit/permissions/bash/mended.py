"""Texts that are no bash, but that the client's own parser mends and looks into.

It takes a single quote and a quoted here-document for closed at the end, leaves out a pipe that leads nowhere, takes a
`;;` outside `case` for a separator, and ends a construct that begins with `if`, `while` or `until` (measured). bash
refuses these texts, or runs the same commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.patterns import late
from toolaudit.shell import Reading, read
from toolaudit.structs import replace

ENDINGS = {
    "if": (" :\nthen :\nfi", "\nthen :\nfi", "\n:\nfi", "\nfi"),
    "while": ("\ndo :\ndone", "\n:\ndone", "\ndone"),
    "until": ("\ndo :\ndone", "\n:\ndone", "\ndone"),
}
"""The word a construct begins with -> what may be missing at its end."""

CLOSINGS = (" :\ndo :\ndone", *dict.fromkeys(ending for endings in ENDINGS.values() for ending in endings))
"""All that may be missing at the end of a text, wherever its last construct begins."""

STRAY_WORDS = frozenset({"!", "coproc", "in", "time"})
"""Reserved words that count as programs where they stand alone."""

read_once: Final = lru_cache(maxsize=8)(read)
"""`read`, with the last readings kept: who has a call decided often looks at its reading too."""

_DANGLING_PIPE = late(r"(?<=[^\s|&;(])\s*\|&?\s*\Z")
_DANGLING_LIST = late(r"(?<=[^\s|&;(])\s*(?:&&|\|\|)\s*\Z")
_SEPARATOR = late(r"(?<=[^\s;&|])\s*;;(?![;&])\s*")
_QUOTED_HEREDOC = late(r"<<-?\s*(['\"])(\w+)\1")
_LOOP_HEAD = late(r"\b(?:for|select)\b[^;\n]*\Z|\bfor\s*\(\([^\n]*\)\)\s*\Z")
"""A loop of which only the head is there: the client makes nothing of that."""
_FIRST_WORD = late(r"\s*(\w+)")


def read_mended(text: str, version: Version = NEWEST) -> Reading:
    """The reading of `text`, or of what the client makes of it where bash would refuse it."""
    reading = read_once(text)
    complexity = reading.complexity
    if complexity is None or complexity.reason not in ("parse-error", "separator"):
        return reading
    for mended in _mended(text, not version.has(Difference.MENDS_LESS)):
        found = read(mended)
        if found.complexity is None:
            kept = _begun(found, text)
            return kept if kept.commands else reading
    return reading


def read_damaged(reading: Reading, *, quoted: bool = True) -> Reading | None:
    """What the client still sees of a text that it takes for damaged: it closes a last quote or construct (measured).

    Words out of their place, such as a `time` without a command, are programs to it. Where an open quote is not to be
    closed, `quoted` is false.
    """
    complexity = reading.complexity
    if complexity is None or complexity.reason not in ("parse-error", "reserved-word"):
        return None
    text = reading.text
    if complexity.reason == "reserved-word":
        start, end = complexity.span
        stray = text.encode("utf-8", "surrogatepass")[start:end].decode("utf-8", "surrogatepass") in STRAY_WORDS
        return reading if stray else None
    if _LOOP_HEAD.search(text) or text.endswith("\\"):
        return None
    for ending in ('"', *CLOSINGS) if quoted else CLOSINGS:
        found = read(text + ending)
        if found.complexity is None:
            return _begun(found, text)
    return None


def _begun(found: Reading, text: str) -> Reading:
    """A reading of more than `text`, without the commands that begin behind it."""
    end = len(text.encode("utf-8", "surrogatepass"))
    return replace(found, commands=tuple(command for command in found.commands if command.span[0] < end))


def _mended(text: str, more: bool) -> Iterator[str]:
    if more and text.count('"') % 2:
        yield text + '"'
    if more and _DANGLING_LIST.search(text):
        yield _DANGLING_LIST.sub("", text)
    if text.count("'") % 2:
        yield text + "'"
    if _DANGLING_PIPE.search(text):
        yield _DANGLING_PIPE.sub("", text)
    if ";;" in text and "case" not in text:
        yield _SEPARATOR.sub("\n", text)
    if (heredoc := _QUOTED_HEREDOC.search(text)) is not None:
        yield f"{text}\n{heredoc[2]}\n"
    word = _FIRST_WORD.match(text)
    for ending in ENDINGS.get(word[1], ()) if word is not None else ():
        yield text + ending
