"""Texts that another agent, a schedule or a person gets: what they tell to do must be harmless itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local import paths, shells
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.harmless import programs
from toolaudit.classifier.local.network import SECRET_TEXT
from toolaudit.classifier.local.requests import clauses, negated
from toolaudit.classifier.local.starts import take_apart
from toolaudit.patterns import late

_UNSUPERVISED = late(
    r"--dangerously|--yolo|--yes-always|bypass[\s_]?permissions|"
    r"(?:ignore|bypass|circumvent|skip|evade|get around|work around|go around) (?:the |all |any |its |your |"
    r"our )*(?:permission|rule|"
    r"polic|guard|hook|restriction|approval|sandbox|safety)|"
    r"without (?:asking|approval|permission|confirm|review|prompt)|disable (?:the |all |any )?(?:hook|guard|"
    r"sandbox|safety)|"
    r"auto-?approve|approve (?:every|all|any)thing|don'?t (?:ask|wait) for (?:approval|permission|confirm)",
    2,
)
_LOGIN = late(r"://[^/\s:@\"']{1,100}:[^/\s@\"']{3,200}@(?!localhost|127\.)")
_PASSWORD = late(
    r"\b(?:password|passwd|passphrase|secret|api[ _-]?key|token)\b(?: is| =|:|"
    r"=)\s*[\"'`]?(?=[^\s\"'`]*\d)[^\s\"'`<>{}$]{8,}",
    2,
)
_ORDERS: Final = (
    ("destruction", "delete destroy drop erase purge truncate wipe"),
    ("discarded-work", "discard reset stash"),
    ("rewritten-history", "force-push rebase amend"),
    ("production", "deploy migrate promote release rollback ship"),
    ("access-grants", "grant invite share"),
    ("publication", "comment email mail notify paste post publish push send tweet upload merge"),
    ("intrusion", "attack brute-force crack exploit scan"),
    ("remote-code", "curl download wget"),
    ("safety-bypass", "disable bypass"),
    ("system-change", "sudo"),
)
"""Category -> what another agent may be told only where the user asks for it too."""
_ORDER = late(
    r"(?:\A|[\n.;:!?,]\s*(?:[-*]\s*|\d+[.)]\s*)?|\b(?:and|then|please|also|or|must|should|will|can|just|"
    r"finally|afterwards|now|job is to|"
    r"task is to|goal is to|need to|needs to|going to)\s+)([a-z][a-z-]+)\b",
    2,
)
_SPELLED = late(r"(?<![\w:/])(?:~|\.{1,2})?/?[\w.@-]{1,80}(?:/[\w.@-]{1,80}){0,12}")
_QUOTED = late(r"`([^`\n]{3,300})`")


def find(text: str, context: Context, *, orders: bool) -> Iterator[Concern]:
    """What speaks against a text; `orders`: who gets it does what it says."""
    if _UNSUPERVISED.search(text):
        yield Concern("oversight", "it tells an agent to go around approval")
    if SECRET_TEXT.search(text) or _LOGIN.search(text) or _PASSWORD.search(text):
        yield Concern("exfiltration", "a credential leaves in a text")
    if LOADS.search(text):
        yield Concern("remote-code", "it is told to run a download")
    if orders:
        yield from _ordered(text, context)


def _ordered(text: str, context: Context) -> Iterator[Concern]:
    told = {
        verb.lower()
        for clause in clauses(text)
        if not negated(clause)
        for verb in _ORDER.findall(_QUOTED.sub("", clause))
    }
    for category, verbs in _ORDERS:
        given = told.intersection(verbs.split())
        if given:
            why = f"it tells an agent: {', '.join(sorted(given))}"
            yield Concern(category, why, (frozenset(verbs.split()),), any_verb=True)
    for command in _QUOTED.findall(text):
        if " " in command and command.partition(" ")[0] in programs():
            # Not every quoted text is a command: only what speaks against one counts.
            found = shells.find(take_apart(command), context)
            yield from (concern for concern in found if concern.category != "opaque")
    for path in dict.fromkeys(_SPELLED.findall(text)):
        yield from paths.of_path(path, "read", context)
