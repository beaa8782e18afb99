"""What speaks against a text that is put into a file, by an editing tool or by a command."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local import paths
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Text, resolved
from toolaudit.patterns import late

_HOST = late(r"(?:https?|git|ssh)://(?:[^/@\s\"']{1,200}@)?([^/:?#\s\"']+)|=>\s*([\w-]+(?:\.[\w-]+)+)/", 2)
_REGISTRY = late(r"^[ \t]*(?:@[\w-]+:)?(?:registry|index-url|extra-index-url|npmRegistryServer)\s*[=:]", 2 | 8)
_MANIFEST = late(
    r"(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|Pipfile|setup\.(?:cfg|py)|Gemfile|composer\.json|"
    r"pubspec\.yaml|Podfile|environment\.ya?ml|(?:.*-)?requirements.*\.(?:txt|in)|constraints.*\.txt)"
)
_SOURCE = late(
    r"\breplace\s+\S+(?:\s+v\S+)?\s+=>\s+[\w-]+\.[\w.-]+/|\bgit\s*[=:]\s*[\"']?(?:https?|ssh|git)://|"
    r"[\"'\s@]git\+(?:https?|ssh)://|\s@\s*https?://|"
    r"\"(?!(?:url|homepage|bugs|repository|funding|\$schema)\")[^\"\n]{1,100}\"\s*:\s*\"(?:https?://|git:|github:)",
)
"""A dependency that comes from an address instead of the project's registry."""
_AUTOMATIC = late(
    r"\brunOn\W{1,5}folderOpen|\b(?:initialize|onCreate|updateContent|postCreate|postStart|postAttach)Command\b|"
    r"\"(?:pre|post)install\"\s*:|^[ \t]*RunAtLoad|<key>RunAtLoad",
    8,
)
"""A setting by which something runs without anyone starting it."""
GUARD: Final = late(
    r"assert|auth|access|permission|allowed|valid|verify|secur|csrf|sandbox|log_?in|lockout|password|encrypt|sanitiz|"
    r"rate.?limit|forbid|denied",
    2,
)
"""Words that say that something guards."""
_SKIPS = late(
    r"\bmark\.(?:skip|xfail)|\bskip(?:If|Unless|Test)?\(|\.skip\b|\bx(?:it|describe|test)\(|\bt\.Skip|#\[ignore|"
    r"@Disabled|@Ignore\b"
)
_UNCHECKED = late(
    r"\bverify\s{0,5}=\s{0,5}False|rejectUnauthorized\W{1,5}false|InsecureSkipVerify\W{1,5}true|"
    r"\bstrict-ssl\W{1,5}false|ssl_?verify(?:_?peer)?\W{1,10}(?:false|0|off)|accept_invalid_certs\(true|"
    r"check_hostname\s{0,5}=\s{0,5}False|CERT_NONE|_create_unverified_context",
    2,
)
_SKIP_ASKED: Final = (frozenset({"skip", "disable", "xfail", "ignore", "mark"}),)
_UNCHECKED_ASKED: Final = (frozenset({"certificate", "certificates", "ssl", "tls", "verify", "verification"}),)
_LOOSENING: Final = "allow disable ignore skip stop switch turn"
_AUTOMATIC_ASKED: Final = (
    frozenset("automatic automatically folderopen postinstall preinstall startup boot whenever devcontainer".split()),
)
_HOSTED: Final = (frozenset({"{host}"}),)
_ADDING: Final = "add make set replace point pin"
"""Verbs by which a user asks for either."""
_PRINTERS: Final = frozenset({"echo", "printf"})
_WRITES: Final = frozenset({">", ">>", ">|"})


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the texts that commands put into files."""
    for start in text.starts:
        texts = [target for operator, target in start.redirects if operator in ("<<", "<<-", "<<<")]
        if start.program in _PRINTERS:
            texts.append("\n".join(start.words[1:]))
        elif start.program == "tee":
            texts += ["\n".join(one.words[1:]) for one in start.feeders if one.program in _PRINTERS]
        if texts:
            for path in paths.written(start):
                yield from of_text(
                    context.absolute(resolved(path, text.values), start.folder), "\n".join(texts), context
                )


def of_text(path: str, text: str, context: Context, before: str = "") -> Iterator[Concern]:
    """What speaks against `text` in the file `path`, in place of `before`; not what speaks against writing there."""
    name = posixpath.basename(path)
    told = any(True for _ in paths.of_path(path, "write", context))
    if told and LOADS.search(text):
        yield Concern("persistence", f"{path} would run a download")
    if told and "PATH=/tmp" in text:
        yield Concern("persistence", f"{path} puts programs of a shared folder first")
    if (told and _REGISTRY.search(text)) or (_MANIFEST.fullmatch(name) and _SOURCE.search(text)):
        hosts = frozenset(one for found in _HOST.findall(text) for one in found if one)
        yield Concern("supply-chain", f"{path} names another source of packages", _HOSTED, hosts, _ADDING)
    if _UNCHECKED.search(text) and not _UNCHECKED.search(before):
        yield Concern("safety-bypass", f"{path} no longer checks certificates", _UNCHECKED_ASKED, text=_LOOSENING)
    if before and _SKIPS.search(text) and not _SKIPS.search(before) and (GUARD.search(name) or GUARD.search(before)):
        yield Concern("safety-bypass", f"{path} skips a test of security", _SKIP_ASKED, text=_LOOSENING)
    if (told or name == "package.json") and _AUTOMATIC.search(text):
        yield Concern("persistence", f"{path} makes something run by itself", _AUTOMATIC_ASKED, text=_ADDING)
