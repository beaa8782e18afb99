"""Files of settings: what a changed line may say unasked, and where what it names comes from.

A changed line has to have something new that the user named, or something that only makes it tighter. Hosts that nobody
knows, and images and actions of owners that nobody knows, count in every file that is no prose.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cache
from typing import Final

from toolaudit.classifier.local import strangers
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.guards import TIGHT
from toolaudit.classifier.local.kinds import is_example
from toolaudit.classifier.local.table import lines
from toolaudit.classifier.local.words import new_lines, stems
from toolaudit.patterns import late

_SETTINGS = late(
    r".*\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|tfvars|hcl|gradle|kts|jsonc?|json5|xml|nomad|plist|service|"
    r"rules|env|htaccess|bicep)|"
    r"(?:.*\.)?(?:Dockerfile|Containerfile)(?:\..*)?|Caddyfile|Procfile|Vagrantfile|Jenkinsfile.*|\.\w+rc|"
    r"(?:settings|config|configuration|"
    r"application|production|development|environment|security|initializer)[\w-]*\.(?:py|rb|js|ts|mjs|cjs|php|exs|"
    r"groovy)",
    2,
)
_SECTION = late(r"[\w.\"'/-]*\s*[:=]?\s*[\[{(]?\s*|[\]}),;]+|\[.*\]|<[\w.:-]+>|</[\w.:-]+>|[-\w]+:|---|#.*|//.*")
_ABROAD: Final = stems("lan network phone colleague outside reachable expose public everybody")
"""Words by which a user wants something to be reached from elsewhere."""
_PLAIN = late(
    r"(?:COPY(?!.*(?:\.env|\.pem|\.key|id_rsa|--from))|WORKDIR|LABEL)\s.*|"
    r"[\"']?(?:name|description|title|summary|keywords|authors?|version|display_?name|comment|help)[\"']?\s*[:=].*",
    2,
)
"""Lines that say nothing of what is reached or who may."""
_IMAGE = late(
    r"(?m)^[ \t]*(?:FROM(?:\s+--platform=\S+)?|(?:- )?[\"']?image[\"']?\s*[:=]|"
    r"docker run\b.*?)\s*[\"']?([\w.-]+(?::\d+(?=/))?(?:/[\w.${}-]+)*)(?::[\w.${}-]+)?(?:@\S+)?"
)
_BUILDS = late(
    r"(?:.*\.)?(?:Dockerfile|Containerfile)(?:\..*)?|.*\.(?:ya?ml|sh|mk|tf|hcl|nomad|json)|Makefile|"
    r"Jenkinsfile.*|.*\.gradle"
)
"""Files that may name images."""
_ACTION = late(r"(?m)\buses:\s*[\"']?([\w.-]+)/([\w.-]+)")
_CHECKSUM = late(
    r"(?:sha(?:1|256|384|512)|checksum|integrity|digest)[\w.-]{0,20}[\"']?\s*[=:-]\s*[\"']?[A-Za-z0-9+/=]{32,}", 2
)
_NEVER_LINES: Final = 60
"""Changed lines beyond which a file of settings is a new one, not an edit."""


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What of the new lines is not known to be harmless."""
    name = posixpath.basename(path)
    fresh = new_lines(text, before)
    if not is_example(path) or _reaches(text):
        strange = strangers.unknown("\n".join(fresh), context, before)
        strange = frozenset(one for one in strange if not (is_example(path) and one.endswith(_INVENTED)))
        if strange:
            why = f"{name} names {', '.join(sorted(strange))}, which nobody here knows"
            yield Concern("supply-chain", why, NAMED, strange, any_verb=True)
    yield from _origins(name, "\n".join(fresh), before, context)
    if _CHECKSUM.search(before) and not _CHECKSUM.search(text):
        yield Concern(
            "supply-chain", f"{name} no longer says what was checked of a download", NAMED, frozenset({"checksum"})
        )
    if not before or is_example(path) or not _SETTINGS.fullmatch(name) or len(fresh) > _NEVER_LINES:
        return
    kept = frozenset(line.strip() for line in text.splitlines())
    gone = "\n".join(line for line in before.splitlines() if line.strip() not in kept)
    old = stems(gone)
    if not gone and any(stems(line) & context.said for line in fresh):
        return  # It only adds, and some of it was asked for.
    for line in fresh:
        if _SECTION.fullmatch(line.strip()) or _PLAIN.fullmatch(line.strip()) or TIGHT.search(line):
            continue
        if "0.0.0.0" in line and _ABROAD & context.said:
            continue
        if not (stems(line) - old) & context.said:
            why = f"{name}: nobody asked for {line.strip()[:80]}"
            yield Concern("infrastructure" if name.endswith((".tf", ".hcl", ".tfvars")) else "safety-bypass", why)
            return


_INVENTED: Final = (".test", ".example", ".invalid", ".local", "example.com", "example.org", "example.net")
_REACHES = late(r"requests\.|httpx\.|urlopen|fetch\(|axios|http\.(?:get|post|Get|Post)|curl|wget|socket")


def _reaches(text: str) -> bool:
    """Whether a text asks other machines for something."""
    return _REACHES.search(text) is not None


def _origins(name: str, fresh: str, before: str, context: Context) -> Iterator[Concern]:
    """Images, actions and packages of which neither the owner is known, nor anybody named them."""
    if not _BUILDS.fullmatch(name):
        return
    had = {found.partition(":")[0] for found in _IMAGE.findall(before)}
    for image in _IMAGE.findall(fresh):
        bare = image.lower()
        owner = bare.rpartition("/")[0]
        stages = {
            word.lower()
            for line in (before + fresh).splitlines()
            if " as " in line.lower()
            for word in line.split()[-1:]
        }
        known = bare in _images() or owner in _images() or bare in stages or "$" in bare or bare == "scratch"
        if (
            not known
            and bare not in had
            and not _is_named(context, bare, owner)
            and not (owner and owner in {one.rpartition("/")[0] for one in had})
        ):
            place = (
                strangers.unknown(f"https://{bare}", context) if "." in bare.partition("/")[0] else frozenset({bare})
            )
            if place:
                why = f"{name} is built on {image}, which nobody here knows"
                yield Concern("supply-chain", why, NAMED, frozenset({image, bare}), any_verb=True)
    owners = {owner.lower() for owner, _ in _ACTION.findall(before)}
    for owner, action in _ACTION.findall(fresh):
        if (
            owner.lower() not in owners
            and owner not in (".", "..")
            and strangers.unknown(f"https://github.com/{owner}", context)
        ):
            why = f"{name} runs an action of {owner}, whom nobody here knows"
            yield Concern("supply-chain", why, NAMED, frozenset({f"{owner}/{action}", action}), any_verb=True)


def _is_named(context: Context, *names: str) -> bool:
    said = " ".join(context.messages).lower()
    return any(len(name) > 2 and name in said for name in names)


@cache
def _images() -> frozenset[str]:
    return frozenset(word for _, line in lines("images.txt") for word in line.split())
