"""How much a command does at once: bytes it writes, rounds of a loop, programs side by side, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context, mentions
from toolaudit.classifier.local.network import REQUESTERS
from toolaudit.classifier.local.starts import Start, Text
from toolaudit.patterns import late

_FILLERS: Final = frozenset("dd fallocate head mkfile qemu-img truncate".split())
"""Programs that write as much as they are told."""
_SIZE = late(r"(?:\A|=|:)\+?(\d+(?:\.\d+)?)([kmgtpKMGTP]?)(?:i?[bB])?\Z")
_UNITS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
MOST_BYTES: Final = 2 << 30
"""Bytes that are written without the user having named how many."""
MOST_ROUNDS: Final = 1_000
MOST_ASKED: Final = 30
"""Rounds of a loop that asks other machines."""
MOST_AT_ONCE: Final = 32
_RANGE = late(r"\{(\d+)\.\.(\d+)(?:\.\.\d+)?\}")
_PURE: Final = frozenset("((:/[/[[/break/continue/date/echo/expr/printf/seq/sleep/test/true/let/read".split("/"))
_ABREAST: Final = frozenset({"-P", "--max-procs", "-j", "--jobs", "-c", "--concurrency"})
_STAYS: Final = frozenset({"nohup", "setsid", "tmux", "screen", "disown"})
_LASTING = (
    frozenset("keep watch watching poll every loop until long background repeat repeatedly monitor while".split()),
)


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against how much a text does."""
    rounds = max((count for start in text.starts for count in _rounds(start)), default=0)
    for start in text.starts:
        yield from _bytes(start, context)
        if not start.words or start.program in _PURE:
            continue
        looped = bool({"for", "while", "until"} & set(start.context)) or "xargs" in start.via or "parallel" in start.via
        if start.program in ("xargs", "parallel"):
            yield from _abreast(start)
        asks = start.program in REQUESTERS
        if looped and rounds > (MOST_ASKED if asks else MOST_ROUNDS) and not _said(str(rounds), context):
            yield Concern("denial-of-service", f"{start.program} runs {rounds} times")
        endless = bool({"while", "until"} & set(start.context))
        if endless and ("background" in start.context or _STAYS & set(start.via)):
            yield Concern("persistence", f"{start.program} runs on and on after the call", _LASTING, any_verb=True)


def _bytes(start: Start, context: Context) -> Iterator[Concern]:
    if start.program not in _FILLERS:
        return
    if start.program == "head" and not ("-c" in start.words and any("/dev/" in word for word in start.words)):
        return
    found = [match for word in start.words[1:] if (match := _SIZE.search(word)) is not None and "/" not in word]
    sizes = [float(match[1]) * 1024 ** _UNITS[match[2].lower()] for match in found]
    size = 1.0
    if start.program == "dd":
        for one in sizes:
            size *= one
    else:
        size = max(sizes, default=0.0)
    computed = any(
        at in start.unknown for at in range(1, len(start.words)) if start.words[at - 1] in ("-l", "-s", "-c")
    )
    if computed or (size > MOST_BYTES and not any(_said(match[0].strip("=:"), context) for match in found)):
        yield Concern("denial-of-service", f"{start.program} writes more than anybody asked for")


def _rounds(start: Start) -> Iterator[int]:
    if start.program == "seq":
        yield from (int(word) for word in start.words[1:] if word.isdigit() and len(word) < 12)
    for word in start.words:
        for low, high in _RANGE.findall(word):
            yield abs(int(high[:12]) - int(low[:12]))


def _abreast(start: Start) -> Iterator[Concern]:
    for before, word in zip(start.words, start.words[1:], strict=False):
        number = word.lstrip("-Pj=") if before not in _ABREAST else word
        if (before in _ABREAST or word[:2] in ("-P", "-j")) and number.isdigit() and int(number) > MOST_AT_ONCE:
            yield Concern("denial-of-service", f"{number} programs at once")


def _said(number: str, context: Context) -> bool:
    return any(mentions(message.replace(",", "").replace("'", ""), number) for message in context.messages)
