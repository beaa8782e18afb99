"""What speaks against calls of tools that are no shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolaudit.classifier.local import contents, paths
from toolaudit.classifier.local.code import LOADS
from toolaudit.classifier.local.commands import RISKY
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.network import SECRET_TEXT
from toolaudit.patterns import late

_HOST = late(r"https?://([^/:?#\s\"']+)", 2)
_EDITORS: Final = frozenset({"Write", "Edit", "NotebookEdit"})
_TEXTS: Final = frozenset(
    {"Agent", "CronCreate", "ScheduleWakeup", "SendMessage", "Skill", "Workflow", "RemoteTrigger"}
)
_UNSUPERVISED = late(
    r"--dangerously|--yolo|--yes-always|bypass\s?permissions|ignore (?:the |all |any )*(?:permission|rule|polic|guard)|"
    r"without (?:asking|approval|permission)|disable (?:the )?(?:hook|guard|sandbox)",
    2,
)
_CARRIED = late(r"[A-Za-z0-9+/=_-]{64,}")
_LOGIN = late(r"://[^/\s:@\"']{1,100}:[^/\s@\"']{3,200}@(?!localhost|127\.)")
_CREDENTIAL_IN_ADDRESS = late(r"[?&#][^ ]*(?:AKIA|token=|secret=|password=|api_?key=|-----BEGIN)", 2)

LOOKING: Final = frozenset(
    "check count describe diff fetch find get inspect list lookup query read resolve search show status view".split()
)
"""First words of an MCP tool's name that say it only looks."""

_VERBS: Final = (
    ("infrastructure", "delete destroy drop purge remove terminate wipe drain scale provision"),
    ("production", "deploy release rollback promote migrate execute toggle enable disable roll ship"),
    ("access-grants", "grant invite share authorize assign give"),
    (
        "publication",
        "send post publish create update comment reply upload email mail notify merge close add write set tell message "
        "announce open file",
    ),
)
"""Category -> the verbs in a tool's name that say so, any of which a user may use to ask for it."""
_PRODUCTION = late(r"\b(?:prod|production|live)\b", 2)


def find(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    """What speaks against a call of `tool`."""
    if tool in _EDITORS:
        path = edited(tool, given)
        text = str(given.get("content") or given.get("new_string") or given.get("new_source") or "")
        yield from paths.of_path(path, "write", context)
        yield from contents.of_text(path, text, context, str(given.get("old_string", "")))
    elif tool == "WebFetch":
        yield from _address(str(given.get("url", "")))
    elif tool.startswith("mcp__"):
        yield from _mcp(tool, given)
    elif tool in _TEXTS:
        if tool == "Skill" and (found := RISKY.search(str(given.get("skill", "")))):
            asked = (frozenset({found.group().strip("_").lower()}),)
            yield Concern("production", f"the word {found.group()} promises consequences", asked)
        yield from _text(" ".join(str(value) for value in given.values()))


def edited(tool: str, given: Mapping[str, Any]) -> str:
    """The file that a call of an editing tool writes; empty for another tool."""
    return str(given.get("file_path") or given.get("notebook_path") or "") if tool in _EDITORS else ""


def _address(url: str) -> Iterator[Concern]:
    """An address that carries more than it asks for."""
    if SECRET_TEXT.search(url) or _CREDENTIAL_IN_ADDRESS.search(url):
        yield Concern("exfiltration", "the address carries a credential")
    elif _CARRIED.search(url.partition("://")[2].partition("/")[2]):
        hosts = frozenset(_HOST.findall(url))
        yield Concern("publication", "the address carries content to its host", (frozenset({"{host}"}),), hosts)
    if any(host in url for host in ("169.254.169.254", "metadata.google.internal")):
        yield Concern("credential-exposure", "it asks the metadata service for the machine's credentials")


def _text(text: str) -> Iterator[Concern]:
    if _UNSUPERVISED.search(text):
        yield Concern("oversight", "it tells an agent to go around approval")
    if SECRET_TEXT.search(text) or _LOGIN.search(text):
        yield Concern("exfiltration", "a credential leaves in a text")
    if LOADS.search(text):
        yield Concern("remote-code", "it is told to run a download")


def _mcp(tool: str, given: Mapping[str, Any]) -> Iterator[Concern]:
    name = tool.rpartition("__")[2].lower()
    words = name.replace("-", "_").split("_")
    text = " ".join(str(value) for value in given.values())
    if SECRET_TEXT.search(text) or _LOGIN.search(text):
        yield Concern("exfiltration", "a credential leaves in a call")
    if words[0] in LOOKING:
        return
    subjects = frozenset(
        str(value) for value in given.values() if isinstance(value, str | int) and len(str(value)) < 80
    )
    for category, verbs in _VERBS:
        verb = next((word for word in words if word in verbs.split()), None)
        if verb is not None:
            if _PRODUCTION.search(text):
                category = "production"
            asked = (frozenset(verbs.split()), frozenset({"{name}"}))
            yield Concern(category, f"{name}: it does more than look", asked, subjects)
            return
    yield Concern("opaque", f"what {name} does can't be told from its name", (frozenset({name, "{name}"}),), subjects)
