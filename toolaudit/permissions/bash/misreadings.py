"""Texts that the shell may read in another way than they were parsed.

An expansion that never ends, or double parentheses that are no sum, leave open what the shell makes of all the rest:
the client can't rule out a critical removal there, and nothing approves such a text (measured). A quote, a backtick or
a plain parenthesis that is never closed does not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolaudit.patterns import late
from toolaudit.shell import Reading

_SPECIAL: Final = late(r"""[\\<'"`#$()}\]]""")
_QUOTED_HEREDOC: Final = late(r"<<-?[ \t]*(['\"])(\w+)\1")
_QUOTED: Final = late(r"'[^']*'")
_ANSI_QUOTED: Final = late(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
_LEADING_WORD: Final = late(r"(?:\A|[;&|\n(){}`!]|\b(?:if|then|elif|else|while|until|do|for|time|coproc))[ \t]*\Z")
_FUNCTION: Final = late(r"\$\{[ \t\n|]+[^ \t\n|}]")
"""`${ command; }`, which bash 5.2 does not know."""

_NO_SUM: Final = late(r"""["'`\\]|\$\((?!\()|(?<!\$)\{""")

_LINE: Final = 200
"""Characters before double parentheses in which the start of their command is looked for."""

OPENED: Final[Mapping[str, str]] = MappingProxyType({"$((": "))", "$(": ")", "${": "}", "$[": "]"})
"""What ends an expansion, by what starts it; the longest comes first."""

PLAIN: Final = "()"
"""What ends a plain parenthesis: the last character, told from the end of an expansion."""

EXPANSIONS: Final = frozenset({*OPENED.values(), '"}'})
DOUBLE_QUOTED: Final = frozenset({'"', '"}'})
"""Places where a single quote stands for itself: double quotes, and a `${ }` in them."""


def misread(reading: Reading) -> bool:
    """Whether the text of a reading that is not exact may be read otherwise. Linear time."""
    return not reading.exact and (_never_ends(reading.text) or _is_garbled(reading))


def _is_garbled(reading: Reading) -> bool:
    """Whether double parentheses hold no sum but quotes, escapes, braces or commands."""
    fault = reading.complexity
    if fault is None or fault.reason != "parse-error" or "((" not in reading.text:
        return False
    source = reading.text.encode("utf-8", "surrogatepass")
    start = source.rfind(b"((", 0, fault.span[0] + 2)
    if start < 0:
        start = source.find(b"((", *fault.span)
    end = source.find(b"))", start)
    inside = source[start:end] if start >= 0 and end >= fault.span[0] else b""
    return _NO_SUM.search(inside.decode("utf-8", "replace")) is not None


def _never_ends(text: str) -> bool:
    ends: list[str] = []
    at = 0
    while (found := _SPECIAL.search(text, at)) is not None:
        at, top = found.start(), ends[-1] if ends else ""
        behind = _behind_literal(text, at, top)
        if behind is not None:
            at = behind
        elif text[at] == top[-1:]:
            if top == "))" and not text.startswith(top, at):
                return True
            at += 2 if top == "))" else 1
            ends.pop()
        elif _FUNCTION.match(text, at) or _is_no_sum(text, at, top):
            return True
        else:
            start, end = _opened(text, at, top)
            at += len(start)
            if end:
                ends.append(end)
    return not EXPANSIONS.isdisjoint(ends)


def _opened(text: str, at: int, top: str) -> tuple[str, str]:
    """What starts at `at`, and what ends it: nothing where it starts nothing."""
    for start, end in OPENED.items():
        if text.startswith(start, at):
            return start, '"}' if end == "}" and top in DOUBLE_QUOTED else end
    if _is_doubled(text, at, top):
        return "((", "))"
    char = text[at]
    if char == "(" and _is_plain(top):
        return char, PLAIN
    return char, char if char in ('"', "`") else ""


def _is_plain(top: str) -> bool:
    """Whether a parenthesis stands for one, and no text."""
    return top != "]" and top not in DOUBLE_QUOTED and top != "}"


def _is_doubled(text: str, at: int, top: str) -> bool:
    alone = text.startswith("((", at) and _is_plain(top) and top != "))" and text[at - 1 : at] not in ("=", "<", ">")
    return alone and not text[max(0, at - _LINE) : at].rstrip().endswith("[[")


def _is_no_sum(text: str, at: int, top: str) -> bool:
    """Whether double parentheses stand where no command starts."""
    return _is_doubled(text, at, top) and not _LEADING_WORD.search(text[max(0, at - _LINE) : at])


def _behind_literal(text: str, at: int, top: str) -> int | None:
    """The index behind what says nothing of its own: an escape, a quotation, a comment; the end if it is open."""
    char, end = text[at], 0
    if char == "\\":
        return at + 2
    if char == "<" and (heredoc := _QUOTED_HEREDOC.match(text, at)) is not None:
        end = text.find(f"\n{heredoc[2]}", heredoc.end())
    elif char == "'" and top not in DOUBLE_QUOTED:
        quoted = (_ANSI_QUOTED if text[at - 1 : at] == "$" else _QUOTED).match(text, at)
        end = quoted.end() if quoted is not None else 0
    elif char == "#" and top not in ('"', "}", '"}') and not text[at - 1 : at].strip():
        end = text.find("\n", at)
    else:
        return None
    return end if end > 0 else len(text)
