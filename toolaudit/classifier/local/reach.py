"""Other machines that a command's words name, where the command is no request: an argument of a program, a login."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from toolaudit.classifier.local import strangers
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context, is_local, mentions
from toolaudit.classifier.local.network import hosts
from toolaudit.classifier.local.paths import script_place, text_options
from toolaudit.classifier.local.starts import Start, resolved
from toolaudit.patterns import late

_ARGUED: Final = frozenset({"run", "task", "get", "make"})
"""Kinds of commands that hand their words on to programs of the project or of packages."""
_TELLING: Final = frozenset("git gh glab hub jj hg echo printf docker podman sed perl awk jq yq pandoc".split())
"""Programs whose words are texts, or whose addresses are looked at elsewhere."""
_LOGINS: Final = frozenset("mosh nc ncat netcat ssh telnet".split())
_RESOLVERS: Final = frozenset("dig doggo drill getent host nslookup ping ping6 traceroute whois".split())
_ENCODED = late(r"[0-9a-zA-Z_-]{25,}(?:\.|\Z)|(?:[0-9a-f]{8,}\.){2}")


def find(start: Start, kind: str, values: Mapping[str, str], context: Context) -> Iterator[Concern]:
    """What speaks against the machines that a command of this kind names."""
    spelled = " ".join(start.words)
    if start.program in _RESOLVERS:
        operands = [resolved(word, values) for word in start.words[1:] if not word.startswith(("-", "+"))]
        if any("$" in word or "`" in word or _ENCODED.search(word) for word in operands):
            yield Concern("exfiltration", f"what {start.program} looks up may carry something")
    elif start.program in _LOGINS:
        for host in _entered(start):
            if not (is_local(host) or context.trusts(host) or any(mentions(said, host) for said in context.messages)):
                why = f"{start.program} reaches {host}"
                yield Concern("intrusion", why, NAMED, frozenset({host}), spelled, any_verb=True)
    elif kind in _ARGUED and start.program not in _TELLING and not start.away:
        script, texts = script_place(start), text_options(start.program)
        told = [word for at, word in enumerate(start.words) if at and at != script and start.words[at - 1] not in texts]
        strange = strangers.unknown("\n".join(told), context)
        if strange:
            why = f"{start.program} is given {', '.join(sorted(strange))}"
            yield Concern("publication", why, NAMED, strange, spelled, any_verb=True)


def _entered(start: Start) -> Iterator[str]:
    """The machines that are logged in to or spoken to."""
    if start.program in ("ssh", "mosh"):
        at = 1
        while at < len(start.words):
            word = start.words[at]
            if not word.startswith("-"):
                yield word.rpartition("@")[2].partition(":")[0]
                return
            at += 2 if len(word) == 2 and word[1] in "BbcDEeFIiJLlmOopQRSWw" else 1
    else:
        yield from hosts(start)
