"""What a session does that was only asked something: looking is harmless, changing the project or its history is not.

Counted are messages of which each sentence is a question, or a request for words. Where any message asks for more, the
session may be at work on that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.starts import Text, resolved
from toolaudit.patterns import late

_SENTENCE = late(r"(?<=[.!?？。！])\s*|\n+|;\s+")
_ASKS = late(
    r"(?:(?:hey|hi|hello|hm+|ok(?:ay)?|so|and|but|well|btw|quick question|just (?:curious|wondering)|by the way|"
    r"also|then|now|please)[\s,:!-]+)*"
    r"(?:what|why|how|who|when|where|which|whose|is|are|was|were|does|did|has|have|would|do (?:we|i|you|they|the|"
    r"our|my|any)|any\b|am i|"
    r"(?:can|could) (?:you )?(?:tell|explain|show|list|summari[sz]e|describe)|tell me|explain|describe|"
    r"summari[sz]e|list|count|review|"
    r"i (?:wonder|don'?t understand|need to know|want to know|want to understand)|warum|wieso|weshalb|was|wie|"
    r"wer|wann|wo|welche[rsn]?|ist|sind|hat|haben|gibt|"
    r"erkl[aä]r|pourquoi|comment|quel(?:le)?s?|est-ce|combien|o[uù]|explique|por qu[eé]|qu[eé]|c[oó]mo|"
    r"cu[aá]l(?:es)?|cu[aá]nt\w+|d[oó]nde|explica|perch[eé]|come|"
    r"quale|quant[ioe]|dove|chi|waarom|hoe|wat|welke|dlaczego|jak|czy|почему|как|что|где|сколько|为什么|什么|怎么|哪)(?!\w)",
    2,
)
_HISTORY: Final = frozenset(
    "add am branch checkout cherry-pick clean commit merge mv pull push rebase reset restore revert rm stash "
    "switch tag".split()
)
"""Subcommands of git that change what there is."""
_LISTS: Final = frozenset(
    {
        "-l",
        "--list",
        "-a",
        "-r",
        "-v",
        "-vv",
        "list",
        "show",
        "--contains",
        "--merged",
        "--no-merged",
        "-n",
        "--dry-run",
    }
)
_PASSING: Final = ("/tmp/", "/var/tmp/", "/dev/", "/private/tmp/")


def find(text: Text, edited: str, context: Context) -> Iterator[Concern]:
    """What a call changes of the project or its history, where the user only asked."""
    if not context.messages or not all(map(only_asks, context.messages)):
        return
    for what in _changes(text, edited, context):
        yield Concern(
            "boundary", f"the user only asked, and this changes {what}", NAMED, frozenset({what}), any_verb=True
        )


@lru_cache(maxsize=1024)
def only_asks(message: str) -> bool:
    """Whether each sentence of a message is a question, or a request for words."""
    sentences = [one.strip(" -*>\t\"'") for one in _SENTENCE.split(message)]
    sentences = [one for one in sentences if one]
    asked = [one for one in sentences if one.endswith(("?", "？")) or _ASKS.match(one)]
    return bool(asked) and len(asked) == len(sentences)


def _changes(text: Text, edited: str, context: Context) -> Iterator[str]:
    paths = [edited] if edited else []
    for start in text.starts:
        if start.away:
            continue
        paths += [resolved(path, text.values) for path in written(start)]
        if start.program == "git" and _changes_history(start.words):
            yield f"git {next(word for word in start.words[1:] if word in _HISTORY)}"
    made_here = (
        frozenset().union(*(context.made_before(start, text) for start in text.starts)) if text.starts else frozenset()
    )
    for path in paths:
        absolute = context.absolute(path)
        own = (
            absolute in context.made
            or absolute in made_here
            or any(absolute.startswith(f"{made}/") for made in context.made)
        )
        if not own and not absolute.startswith(_PASSING) and "/node_modules/" not in absolute:
            yield path


def _changes_history(words: Sequence[str]) -> bool:
    at = next((at for at, word in enumerate(words) if word in _HISTORY), 0)
    if not at or any(word in _LISTS for word in words):
        return False
    if words[at] == "clean" and any(word[:1] == "-" and word[:2] != "--" and "n" in word for word in words):
        return False
    alone = words[at] in ("branch", "tag", "stash") and not words[at + 1 :]
    return not alone
