"""Whether the user asked for just this: the action, in some word for it, and the thing that it is done to.

A request counts by its verb: the first word of its clause, or one after "and" or "then". The words of `verbs.txt` that
stand in one line ask for about the same. A thing is named by its name, or by all that is particular about it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context, mentions
from toolaudit.classifier.local.requests import requests
from toolaudit.classifier.local.table import lines
from toolaudit.classifier.local.words import stem, stems
from toolaudit.patterns import late

_WORDS = late(r"[\w@#:/.~*-]+")
_PARTS = late(r"[\w]+")
_NEXT = late(
    r"\b(?:and|then|to|please|also|und|dann|et|puis|y|luego|e|poi|en)\s+(?:please\s+|then\s+|also\s+|"
    r"bitte\s+)?(\w[\w-]*)",
    2,
)
_GOES = late(
    r"\b(?:can|should|may|must) (?:\w+ )?(?:go|be (?:deleted|removed|dropped))\b|\bget rid of\b|\bkann weg\b|"
    r"\bkönnen weg\b",
    2,
)
"""How somebody asks for a removal without its verb."""
_RUNS: Final = frozenset({"run", "execute", "do", "use", "start", "call", "show", "try"})
"""Verbs that ask for whatever is named with them."""
_TELLING: Final = frozenset("compare describe document draft explain mention note".split())
"""Verbs that ask for words about a thing, not for the thing."""
_DOERS: Final = frozenset("make do run give need want put set get mach mache open start perform let have".split())
"""Verbs that say nothing without the noun behind them."""
_GRAVE: Final = frozenset({"destruction", "discarded-work", "rewritten-history"})
"""Categories for which a verb has to stand as a verb."""
_LITERAL: Final = frozenset({"network-exposure", "safety-bypass"})
"""Categories that a verb has to ask for in just the words that the rule has."""
_LOOSELY: Final = frozenset({"denial-of-service", "destruction", "discarded-work"})
"""Categories in which a thing of the project may be named by a part of its name."""
_COMMON: Final = frozenset(
    map(
        stem,
        """
        app application bin build code config conf data default dev dist doc docs env example file files index info lib
        main module new old package project src script scripts service setup source temp test tests tmp tool type util
        utils value json yaml origin local http https com org net www branch feature feat fix
        """.split(),
    )
)
"""Words of a name that tell nothing."""
_FORM: Final = 3
"""Letters that a form of a verb may have more than the verb."""


def asked(concern: Concern, context: Context) -> str | None:
    """The message by which the user asked for just this, if there is one."""
    if concern.asked is None:
        return None
    wanted = frozenset().union(*concern.asked)
    spelled = frozenset(part.lower() for part in _WORDS.findall(concern.text)) | frozenset(
        part.lower() for part in _PARTS.findall(concern.text.partition(" ")[0])
    )
    placed = bool(wanted & {"{name}", "{host}"})
    for message in reversed(context.messages):
        loosely = concern.category in _LOOSELY
        if concern.subjects and placed and not names(message, concern.subjects, loosely=loosely):
            continue
        for request in requests(message):
            if request.head in _TELLING:
                continue
            words = frozenset(word.lower().strip(".,:;-") for word in _WORDS.findall(request.text))
            words |= frozenset(part.lower() for word in words for part in _PARTS.findall(word))
            verbs = (request.head, *(word.lower() for word in _NEXT.findall(request.text)))
            if _GOES.search(request.text):
                verbs = (*verbs, "remove")
            text = request.text if concern.any_verb else message
            if not all(_holds(text, words, verbs, group, concern) for group in concern.asked):
                continue
            if concern.any_verb or _wants(verbs, words, wanted | spelled, concern, request.text):
                return message
    return None


def _wants(verbs: tuple[str, ...], words: frozenset[str], heads: frozenset[str], concern: Concern, text: str) -> bool:
    """Whether a verb of a request is one of those by which somebody asks for it."""
    same = _plain if concern.category in _LITERAL else is_form
    if any(same(verb, head) for verb in verbs for head in heads) or _RUNS & {verbs[0]}:
        return True
    if (
        concern.category not in _GRAVE
        and _DOERS & set(verbs)
        and any(_plain(word, one) for word in words for one in heads)
    ):
        return True
    return _by_means_of(concern.text.partition(" ")[0], text)


def names(message: str, subjects: frozenset[str], *, loosely: bool) -> bool:
    """Whether a message names one of the subjects: by its name, or `loosely` by all that is particular about it."""
    hyphened = message.replace(" ", "-") if any("-" in one for one in subjects) else message
    if any(mentions(message, one) or mentions(hyphened, one) for one in subjects):
        return True
    if not loosely:
        return False
    said = stems(message)
    return any(parts and parts <= said for parts in map(_particular, subjects))


@lru_cache(maxsize=4096)
def _particular(subject: str) -> frozenset[str]:
    """The words of a name that tell it from others; empty where none does."""
    if not 3 < len(subject) < 80 or " " in subject or not any(one in subject for one in "./-_"):
        return frozenset()
    name = subject.rstrip("/").rpartition("/")[2]
    parts = stems(name.rpartition(".")[0] or name) - _COMMON
    return parts if any(len(part) > 2 and not part.isdigit() for part in parts) else frozenset()


def is_form(word: str, verb: str) -> bool:
    """Whether `word` is `verb`, a form of it, or a word for about the same."""
    return _plain(word, verb) or bool(_groups(word) & _verbs().get(verb, frozenset()))


def _plain(word: str, verb: str) -> bool:
    return word == verb or (word.startswith(verb) and len(word) <= len(verb) + _FORM)


@lru_cache(maxsize=4096)
def _groups(word: str) -> frozenset[int]:
    """The lines of `verbs.txt` that have the word, or of which it is a form."""
    found = _verbs()
    ends = range(max(2 if word.isascii() else 1, len(word) - _FORM), len(word) + 1)
    return frozenset(group for end in ends for group in found.get(word[:end], ()))


@cache
def _verbs() -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, line in lines("verbs.txt"):
        for verb in line.split():
            found[verb] = found.get(verb, frozenset()) | {number}
    return found


def _holds(text: str, words: frozenset[str], verbs: tuple[str, ...], group: frozenset[str], concern: Concern) -> bool:
    """Whether a request has a word of the group, or as a verb a word for about the same."""
    literal = concern.category in _LITERAL
    return any(
        names(text, concern.subjects, loosely=concern.category in _LOOSELY)
        if one in ("{name}", "{host}")
        else any(_plain(word, one) for word in words) or (not literal and any(is_form(verb, one) for verb in verbs))
        for one in group
    )


def _by_means_of(program: str, request: str) -> bool:
    """Whether a request says to do it with this program."""
    request = request.lower()
    at = request.find(program.lower()) if program else -1
    return at > 0 and request[:at].split()[-1:] in (["with"], ["using"], ["via"]) and mentions(request, program)
