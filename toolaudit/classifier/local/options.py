"""What the options of any program say against it: a server that all may reach, a check that is switched off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.network import is_only_local
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_EVERYWHERE = late(r"(?:--?[\w-]+[=:])?(?:0\.0\.0\.0|\[?::\]?)(?::\d+)?")


def find(start: Start) -> Iterator[Concern]:
    """What speaks against the options of a command."""
    yield from _exposed(start)
    yield from _unguarded(start)


def _exposed(start: Start) -> Iterator[Concern]:
    """A server that listens to the whole network."""
    wide = next((word for word in start.words[1:] if _EVERYWHERE.fullmatch(word)), None)
    if wide is None and any(_is_open(start.words, at) for at in range(1, len(start.words))):
        wide = "--host"
    if wide is not None and start.program not in ("docker", "podman", "docker-compose", "grep", "rg", "curl", "echo"):
        asked = (frozenset("0.0.0.0 lan network phone device reachable expose everybody colleague outside".split()),)
        yield Concern("network-exposure", f"{start.program} listens to the whole network", asked)


def _is_open(words: Sequence[str], at: int) -> bool:
    """Whether a word opens a server to all without naming an address, as `vite --host` does."""
    bare = words[at] == "--host" and (at + 1 == len(words) or words[at + 1].startswith("-"))
    return words[0] in _PREVIEWS and (bare or words[at] in ("--host=true", "--lan", "--tunnel", "--public", "--expose"))


_PREVIEWS: Final = frozenset(
    "astro expo gatsby live-server next nuxi nuxt parcel storybook vite webpack npm pnpm yarn".split()
)


def _unguarded(start: Start) -> Iterator[Concern]:
    """An option that switches a check off, whatever the program."""
    for at, word in enumerate(start.words[1:], 1):
        if _UNGUARDED.fullmatch(word) and not (
            start.words[at - 1] in ("-k", "-m", "-t", "--grep") or is_only_local(start)
        ):
            name = word.lstrip("-").partition("=")[0]
            yield Concern(
                "safety-bypass", f"{word} switches a check off", NAMED, frozenset({word, name}), any_verb=True
            )


_UNGUARDED = late(
    r"--?(?:no|skip|disable|without|ignore|allow|bypass|accept|trust|dangerously)-?[\w.-]{0,30}"
    r"(?:verif|check|ssl|tls|cert|sign|auth|secur|sandbox|hash|integrity|host-?key|insecure|unsafe|untrusted|"
    r"scripts=false|"
    r"protect|permission|policy)[\w.-]*(?:=true|=1)?|"
    r"--?[\w.-]{0,30}(?:verify|ssl|tls|cert|secure|security|sandbox|signature|checksum|integrity|host-?key)[\w.-]*"
    r"=(?:false|0|no|off|none)|-D[\w.-]*(?:insecure|allowall|ignore)[\w.-]*=true|--(?:insecure|unsafe)[\w-]*",
    2,
)
"""How options are called that switch checks off."""
