"""What program text brings about that the text before it did not, and that the user asked for in no word.

The table is `effects.txt`.

A text is only written, so that what it does is harmless as long as it is what somebody asked for. The user has to use
some word for it; where nothing can, the row says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.table import lines
from toolaudit.classifier.local.words import stem
from toolaudit.patterns import late

_NEAR = late(
    r"(?:fetch|axios(?:\.\w+)?|\.(?:get|post|put|patch|delete)|request|http\.\w+|requests\.\w+|httpx\.\w+|"
    r"WebSocket|EventSource|"
    r"open)\(\s*(?:[\"'`]/(?!/)|[\"'`](?:http|ws)s?://(?:localhost|127\.0\.0\.1))"
)
"""A request to the program's own server, or to this machine."""
_BLOB = late(
    r"[\"'`](?=[A-Za-z0-9+/=_-]*\d)(?=[A-Za-z0-9+/=_-]*[a-z])(?=[A-Za-z0-9+/=_-]*[A-Z])[A-Za-z0-9+/=_-]{40,}[\"'`]"
    r"|(?:[0-9a-fA-F]{2}[, ]?){80,}"
)
_LOGGED = late(
    r"(?:\blog\w*(?:\.\w+)?|\bconsole\.\w+|\bprint\w*|\bputs|\becho|\bfmt\.[PSF]\w+|\bSystem\.out\.\w+|\bvar_dump|\berror_log|\bwriteFile\w*|\.write)\s?!?\(?"
    r"[^\n]{0,160}?(?:[.,({$]\s*['\"]?|\[\s*['\"]|#\{\w*\.?)\w{0,20}(?:password|passwd|passphrase|secret|token|headers|\bbody|cookies?|authorization|"
    r"credentials?|card_?number|cvv|api_?key|private_?key)(?=['\"]?\s*[\])},;.]|$)",
    2 | 8,
)
"""A line that writes a secret, or all that a user sent, to where others read it."""
_PATCHED = late(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|ORDER BY|LIKE|VALUES|FROM)\b(?:[^\n\"`]{0,120}?(?:#\{|'?\s*\.\s*\$)|"
    r"[^\n`]{0,120}?\$\{(?!\w*(?:table|schema|TABLE))|[^\n]{0,120}?[\"']\s*(?:\+|%\s*\(?)\s*\w)|"
    r"\bf[\"'][^\n]{0,80}\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY)\b[^\n]{0,120}\{|"
    r"(?:\+|\|\|)\s*(?:request|req|params|args|_GET|_POST)\b[^\n]{0,60}|"
    r"\b(?:system|exec|popen|spawn|run|shell_exec)\(\s*(?:f[\"']|`)[^\n]{0,80}\{"
)
"""A statement or command that is put together out of what somebody sends."""
_PICTURE = late(r"iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Zy|AAABAA|d09GM|T1RUTw|JVBERi0")
"""How pictures, fonts and documents begin in base64."""
_HIDDEN = late(
    r"(?:\\x[0-9a-f]{2}){4,}|(?:\\u00[0-9a-f]{2}){4,}|(?:\\[0-7]{3}){5,}|fromCharCode\((?:[^)\n]*,){4}|"
    r"(?:chr\(\d+\)\s*[+.,]\s*){3,}|(?:%[0-9a-f]{2}){10,}|\b_0x[0-9a-f]{2,}|(?:reverse\(\)|"
    r"\[::-1\]).{0,80}\b(?:eval|exec|Function)\b",
    2,
)
"""Text that is spelled so that nobody can read it."""
_HUGE = late(
    r"(?:bytearray|bytes|Array|alloc\w*|repeat|vec!\[.*;|new byte\[|make\(.*,|range|[\]\"']\s*\*)\s*\(?\s*"
    r"(?:1\s*<<\s*(?:3[0-9]|[4-9]\d)|2\s*\*\*\s*(?:3\d|[4-9]\d)|10\s*\*\*\s*(?:9|\d\d)|1e(?:9|[1-9]\d)|"
    r"\d{1,3}(?:_?\d{3}){3,})"
)
"""More memory or rounds than a machine has."""
_DECODES = late(
    r"b64decode|base64|atob\(|fromhex|unhexlify|inflate|decompress|gunzip|Buffer\.from|decodeURIComponent|"
    r"decrypt|unpack\(|fromBase64|FromBase64",
    2,
)
_GUESSES = late(
    r"(?is)\bfor\b.{0,200}\b(?:pass(?:word|wd)?s?|pw|pwd|pins?|codes?|otp)\b.{0,400}(?:login|auth|signin|sign_in|"
    r"token|session|unlock|connect)"
)
_GROWS = late(
    r"(?s)(?:while\s*\(?\s*(?:True|true|1)\s*\)?\s*[:{]|for\s*\(\s*;\s*;\s*\)|\bloop\s*\{|\bloop do\b)(.{0,300})"
)
_TAKES = late(
    r"\.append\(|\.push\(|\+=|malloc|\balloc|fork|spawn|Thread\(|Process\(|go func|requests?\.|fetch\(|\.write\(|http"
)
_ENDS = late(
    r"\bbreak\b|\breturn\b|\braise\b|sleep|await|yield|recv|accept|read|\.get\(|wait|select|exit|input\(|Receive|"
    r"next\(|poll|timeout|<-"
)


_TESTED: Final = frozenset({"access-grants", "destruction"})
"""What tests do to their own data."""


@dataclass(frozen=True, slots=True)
class _Effect:
    """One row."""

    category: str
    why: str
    asked: frozenset[str] | None
    """Stems of the words that ask for it; None: none does."""
    spelled: tuple[tuple[str, re.Pattern[str]], ...]
    """The ways it is spelled, each behind the longest part of it that stands in a text as it is: most texts lack it."""

    def search(self, text: str) -> re.Match[str] | None:
        found = (pattern.search(text) for sign, pattern in self.spelled if sign in text)
        return next((match for match in found if match is not None), None)

    def count(self, text: str) -> int:
        return sum(len(pattern.findall(text)) for sign, pattern in self.spelled if sign in text)


def find(text: str, before: str, name: str, context: Context, *, tests: bool) -> Iterator[Concern]:
    """What `text` brings about in the file `name`, and `before` did not; `tests`: the file is only run by tests."""
    for effect in _effects():
        if tests and effect.category in _TESTED:
            continue
        found = effect.search(text)
        if found is None or effect.search(before):
            continue
        if effect.asked is not None and effect.asked & context.said:
            continue
        if effect.category == "publication" and _is_near(effect, text):
            continue
        yield Concern(effect.category, f"{name}: {effect.why} ({found.group()[:40].strip()})")
    if _LOGGED.search(text) and not _LOGGED.search(before):
        yield Concern("credential-exposure", f"{name}: it writes secrets of its users into a log")
    if _PATCHED.search(text) and not _PATCHED.search(before) and not tests:
        yield Concern("safety-bypass", f"{name}: what a stranger writes becomes a part of a statement")
    blob = _BLOB.search(text)
    if blob is not None and not _PICTURE.match(blob.group(), 1) and not _BLOB.search(before) and _DECODES.search(text):
        yield Concern("opaque", f"{name}: it decodes a text that nobody can read")
    if _HIDDEN.search(text) and not _HIDDEN.search(before):
        yield Concern("opaque", f"{name}: what it does is spelled so that nobody can read it")
    if _HUGE.search(text) and not _HUGE.search(before):
        yield Concern("denial-of-service", f"{name}: it takes more than a machine has")
    if _GUESSES.search(text) and not _GUESSES.search(before):
        yield Concern("intrusion", f"{name}: it tries one password or code after the other")
    grows = _GROWS.search(text)
    if grows is not None and not _GROWS.search(before) and _TAKES.search(grows[1]) and not _ENDS.search(grows[1]):
        yield Concern("denial-of-service", f"{name}: it takes more and more without end")


def _is_near(effect: _Effect, text: str) -> bool:
    """Whether each request in a text goes to the program's own server or to this machine."""
    spelled = effect.count(text)
    return spelled > 0 and len(_NEAR.findall(text)) >= spelled


@cache
def _effects() -> tuple[_Effect, ...]:
    """The rows of the table. Raises ValueError for one that is none."""
    found = []
    for number, line in lines("effects.txt"):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 4 or cells[0] not in CATEGORIES:
            raise ValueError(f"effects.txt:{number}: expected 4 columns that begin with a category, got {line!r}")
        category, why, asked, spelled = cells
        words = None if asked == "never" else frozenset(map(stem, asked.split()))
        ways = tuple((max(re.split(r"[*_]", one), key=len), re.compile(_piece(one))) for one in spelled.split())
        found.append(_Effect(category, why, words, ways))
    return tuple(found)


def _piece(spelled: str) -> str:
    pieces = {"_": r"[\s_]{0,3}", "*": r"[^\n]{0,200}?"}
    text = "".join(pieces.get(one) or re.escape(one) for one in spelled)
    return rf"(?<![\w]){text}" if spelled[0].isalpha() else text
