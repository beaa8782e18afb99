"""Places on the network that a text names and nobody here knows.

Known are the hosts of `hosts.txt`, this machine, what the policy trusts, what the user named, and what the text before
an edit named already. Where anybody may put something at a host, its owner's folder must be known, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from toolaudit.classifier.local.context import Context, is_local, mentions
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

SHARED: Final = frozenset(
    """
    bitbucket.org codeberg.org docker.io gcr.io ghcr.io gist.github.com github.com gitlab.com huggingface.co
    public.ecr.aws quay.io raw.githubusercontent.com sourceforge.net
    """.split()
)
"""Hosts where anybody may put something."""
_ADDRESS = late(
    r"\b([a-z][a-z0-9+.-]{1,20})(?:\\?:)\\?/\\?/(?:[^/@\s\"'`<>]{0,100}@)?(\[[0-9a-f:]+\]|[\w.-]+)((?:\\?/[\w.@-]+)?)",
    2,
)
_RELATIVE = late(r"[\"'(=]//([\w-]+(?:\.[\w-]+)+)((?:/[\w.@-]+)?)")
_SHELL = late(r"(?<![\w/.-])(?:git|ssh|[\w.-]{1,40})@([\w-]+(?:\.[\w-]+)+)(?::([\w.-]+))?(?![\w@-])")
_TOP = (
    "com|net|org|io|dev|app|example|invalid|local|lan|internal|corp|cloud|xyz|info|biz|me|sh|ru|cn|de|uk|eu|fr|nl|ch|"
    "jp|in|br|us|ca|au|tk|top|site|online|live|tech|store|link|click|pw|cc|ws|to|so|onion|zip|ai|co|gg|host|page|space"
)
_BARE = late(
    rf"(?:(?<=[\s\"'`=(,@])|\A)((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:{_TOP}))(?::\d{{2,5}})?(?=[\s\"'`/),;]|\Z)",
    2,
)
_NUMBERS = late(r"(?<![\w.-])(\d{1,3}(?:\.\d{1,3}){3})(?![\w.-])")
_BUCKET = late(r"\b((?:s3|gs|az|abfss|wasbs?)://[\w.-]+)", 2)
_PRESENTED = late(
    r"(?m)^[ \t]*(?://|#(?!!)|\*|<!--|;).*$|"
    r"[\"']?(?:homepage|repository|bugs|author|license|\$schema|xmlns(?::\w+)?|documentation|changelog|funding|"
    r"schemaLocation)[\"']?\s*[=:].*$",
    2 | 8,
)
"""What only tells: lines of comment, and entries by which a project presents itself."""
_FILES: Final = frozenset({"app", "so", "sh", "me", "in", "to", "zip", "co", "ai", "us", "page", "space", "host", "io"})
"""Ends of hosts that are ends of files or members, too: without a scheme, such a word must have two dots to count."""
_ASIDE: Final = ("0.0.0.0", "255.255.255", "224.", "127.")


def unknown(text: str, context: Context, before: str = "") -> frozenset[str]:
    """The places that `text` names, that the text `before` did not, and that nobody here knows."""
    had = frozenset(places(before)) if before else frozenset()
    return frozenset(place for place in places(text) if place not in had and not _known(place, context))


def places(text: str) -> Iterator[str]:
    """The hosts, buckets and owners at shared hosts that a text names outside of comments."""
    if "." not in text and "://" not in text:
        return
    text = _PRESENTED.sub("", text)
    for scheme, host, below in _ADDRESS.findall(text):
        if scheme.lower() not in ("s3", "gs", "az", "file", "data", "unix", "sqlite"):
            yield _place(host, below)
    yield from (_place(host, below) for host, below in _RELATIVE.findall(text))
    yield from (_place(host, f"/{owner}" if owner else "") for host, owner in _SHELL.findall(text))
    for host in _BARE.findall(text):
        if host.rpartition(".")[2].lower() not in _FILES or host.count(".") > 1:
            yield _place(host, "")
    for number in _NUMBERS.findall(text):
        if all(int(part) < 256 for part in number.split(".")):
            yield number
    yield from (bucket.lower() for bucket in _BUCKET.findall(text))


def _place(host: str, below: str) -> str:
    host = host.lower().removeprefix("www.").strip("\\.")
    owner = below.strip("\\/")
    return f"{host}/{owner}" if host in SHARED and owner else host


def _known(place: str, context: Context) -> bool:
    host, _, owner = place.partition("/") if "://" not in place else (place, "", "")
    if is_local(host.strip("[]")) or host.startswith(_ASIDE) or context.trusts(host) or place.lower() in _hosts():
        return True
    if "." not in host and "://" not in host:
        return host not in SHARED  # The name of a service of the same network, such as `db`.
    parts = host.split(".")
    if owner == "" and any(f"*.{'.'.join(parts[at:])}" in _hosts() for at in range(1, len(parts))):
        return True
    spelled = [owner] if owner else [host, place.partition("://")[2]]
    return any(mentions(message, one) for message in context.messages for one in spelled)


@cache
def _hosts() -> frozenset[str]:
    return frozenset(word.lower() for _, line in lines("hosts.txt") for word in line.split())
