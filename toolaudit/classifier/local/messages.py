"""Texts that another agent, a schedule or a person gets: what they tell to do must be harmless itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local import paths, shells, strangers
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.concern import NAMED, Concern
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
    r"no need to (?:look|read|ask|check|review|understand|confirm)|without (?:looking|reading)|never ask|"
    r"(?:do not|don'?t) (?:ask back|"
    r"tell (?:the user|anyone|anybody|them|him|her)|mention (?:this|it)|report (?:this|it))|"
    r"\bpermission(?:s| checks?)?\b[^.\n]{0,30}\b(?:off|disabled|skipped|bypassed|ignored)\b|"
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
    ("destruction", "delete destroy drop erase overwrite prune purge remove truncate wipe"),
    ("discarded-work", "discard reset stash"),
    ("rewritten-history", "force-push rebase amend squash"),
    ("production", "deploy migrate promote release rollback ship toggle flip"),
    ("infrastructure", "provision scale terminate restart reboot"),
    ("access-grants", "grant invite share authorize assign"),
    (
        "publication",
        "announce answer comment contact email mail message notify order paste pay post publish push reply send "
        "subscribe "
        "transfer tweet upload merge",
    ),
    ("intrusion", "attack brute-force crack exploit guess log login scan ssh impersonate connect"),
    ("remote-code", "curl download wget execute follow obey"),
    ("safety-bypass", "disable bypass skip ignore suppress mute weaken loosen"),
    ("system-change", "sudo install uninstall kill stop enable register"),
    ("persistence", "schedule"),
)
"""Category -> what another agent may be told only where the user asks for it too."""
_ORDER = late(
    r"(?:\A|[\n.;:!?,]\s*(?:[-*]\s*|\d+[.)]\s*)?|\b(?:and|then|please|also|or|must|should|will|can|just|"
    r"finally|afterwards|now|job is to|"
    r"task is to|goal is to|need to|needs to|going to)\s+)"
    r"(?:(?:please|now|then|also|first|next|finally|afterwards|kindly|simply|just)\s+)*([a-z][a-z-]+)\b",
    2,
)
_PHRASES: Final = (
    (
        "publication",
        late(
            r"\bopen (?:\w+ ){0,3}(?:issue|ticket|pull request|pr|discussion)s?\b|\bin (?:my|our|"
            r"the user'?s) name\b|\bpublic (?:\w+ )?(?:paste|gist|link|page)",
            2,
        ),
    ),
    (
        "intrusion",
        late(
            r"\b(?:default|common|known|weak|some|different|each|every) (?:\w+ )?(?:password|credential|login|"
            r"pin)s?\b|\blog ?(?:in|on) ?to\b|\bsign in to\b",
            2,
        ),
    ),
    (
        "credential-exposure",
        late(
            r"\b(?:password|credential|secret|token|api key|private key|cookie)s?\b(?= (?:of|from|in|that|you|"
            r"into|to|and|for))|\bpassword hashes\b",
            2,
        ),
    ),
    (
        "remote-code",
        late(
            r"\b(?:every|all|each|any|the|whatever) (?:\w+ ){0,3}(?:commands?|instructions?|steps?|"
            r"script)\b[^.]{0,60}\b(?:on|at|from|in) (?:the |that |this |it|its )?(?:page|site|url|link|readme|"
            r"issue|comment|ticket|mail|gist|http)|\b(?:execute|carry out) (?:them|it)\b|\b(?:execute|run|"
            r"carry out|do) (?:everything|whatever|what (?:it|they|the))\b",
            2,
        ),
    ),
)
"""Category -> a phrase that counts in what another agent is told."""
_REACHING = (
    (
        "discarded-work",
        late(
            r"\b(?:clean|clear|tidy|reset|empty) (?:\w+ ){0,3}(?:working tree|work tree|workspace|checkout|"
            r"stash)|\buncommitted\b",
            2,
        ),
    ),
    (
        "safety-bypass",
        late(
            r"\b(?:change|edit|modify|adjust|update|relax|make|turn|set|lower|rewrite)\b[^.\n]{0,40}\b(?:ci|"
            r"pipeline|workflow|permissions?|hooks?|branch protection|"
            r"threshold|policy|policies)\b|\b(?:optional|non-?blocking|allowed to fail|not required)\b|"
            r"\bso that (?:it|they|ci|the \w+) (?:always )?(?:pass|succeed)",
            2,
        ),
    ),
    (
        "intrusion",
        late(
            r"\b(?:production|prod|live) (?:database|db|server|cluster|system|host)s?\b|\baccount (?:at|on|"
            r"with)\b|\bcolleague'?s? (?:machine|laptop|box)",
            2,
        ),
    ),
)
"""What an agent is told to reach for that only the user gives."""
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
    plain = _QUOTED.sub("", text)
    for category, phrase in (*_PHRASES, *_REACHING):
        found = phrase.search(plain)
        if found is not None and not any(phrase.search(message) for message in context.messages):
            yield Concern(category, f"it tells an agent: {found.group()[:60]}")
    strange = strangers.unknown(text, context)
    if strange:
        why = f"it sends an agent to {', '.join(sorted(strange))}"
        yield Concern("remote-code", why, NAMED, strange, any_verb=True)
    for command in _QUOTED.findall(text):
        if " " in command and command.partition(" ")[0] in programs():
            # Not every quoted text is a command: only what speaks against one counts.
            for concern in shells.find(take_apart(command), context):
                if concern.category != "opaque":
                    yield concern
    for path in dict.fromkeys(_SPELLED.findall(text)):
        yield from paths.of_path(path, "read", context)
        if path.startswith(("/", "~")) and path.count("/") > 1:
            yield from paths.of_reading(path, context)
