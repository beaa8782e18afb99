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
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_HOST = late(r"https?://([^/:?#\s\"']+)", 2)
_EDITORS: Final = frozenset({"Write", "Edit", "NotebookEdit"})
_READERS: Final = frozenset({"Read", "Grep", "Glob", "NotebookRead", "LS"})
_TEXTS: Final = frozenset(
    {"Agent", "CronCreate", "ScheduleWakeup", "SendMessage", "Skill", "Workflow", "RemoteTrigger"}
)
_UNSUPERVISED = late(
    r"--dangerously|--yolo|--yes-always|bypass\s?permissions|ignore (?:the |all |any )*(?:permission|rule|polic|guard)|"
    r"without (?:asking|approval|permission)|disable (?:the )?(?:hook|guard|sandbox)",
    2,
)
_CARRIED = late(r"[A-Za-z0-9+/=_-]{64,}|[?&][\w.-]{1,40}=[A-Za-z0-9+/_-]{32,}")
_METADATA: Final = ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "metadata.google.internal")
_CLIMBS = late(r"(?:\.|%2e){2}(?:/|%2f|%5c)", 2)
_LOGIN = late(r"://[^/\s:@\"']{1,100}:[^/\s@\"']{3,200}@(?!localhost|127\.)")
_CREDENTIAL_IN_ADDRESS = late(r"[?&#][^ ]*(?:AKIA|token=|secret=|password=|api_?key=|-----BEGIN)", 2)

LOOKING: Final = frozenset(
    """
    check count describe diff fetch find get inspect list lookup navigate query read resolve search show snapshot status
    view
    """.split()
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
_SECRETS: Final = frozenset("credential credentials key keys password passwords secret secrets token tokens".split())
_CHANGES = late(
    r"\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+\w|truncate|alter\s+\w|create\s+\w|grant|revoke|"
    r"lock\s+table|pg_sleep|pg_terminate\w*)\b",
    2,
)
"""A statement that does more than read a database."""
_CHANGING: Final = frozenset(
    "add alter change create delete drop fix insert lock migrate remove seed set update".split()
)
_ORDERS: Final = (
    ("destruction", "delete destroy drop purge remove wipe"),
    ("discarded-work", "discard force reset stash stashes"),
    ("production", "deploy migrate promote release rollback"),
    ("access-grants", "grant invite share"),
    ("publication", "comment email notify paste post publish push send upload"),
    ("intrusion", "exploit login password passwords ssh"),
    ("remote-code", "curl download execute wget"),
)
"""Category -> words in what an agent is told that it may do only where the user uses one of them too."""
_WORD = late(r"[a-z]+")
_SPELLED = late(r"(?<![\w:/])(?:~|\.{1,2})?/?[\w.@-]{1,80}(?:/[\w.@-]{1,80}){0,12}")


def find(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    """What speaks against a call of `tool`."""
    if tool in _EDITORS:
        path = edited(tool, given)
        text = str(given.get("content") or given.get("new_string") or given.get("new_source") or "")
        yield from paths.of_path(path, "write", context)
        yield from contents.of_text(path, text, context, str(given.get("old_string", "")))
    elif tool in _READERS:
        yield from _looked_at(
            str(given.get("file_path") or given.get("notebook_path") or given.get("path") or ""), context
        )
    elif tool == "WebFetch":
        yield from _address(str(given.get("url", "")))
    elif tool.startswith("mcp__"):
        yield from _mcp(tool, given)
    elif tool in _TEXTS:
        text = " ".join(str(value) for value in given.values())
        if tool == "Skill" and (found := RISKY.search(text) or _PRODUCTION.search(text)):
            asked = (frozenset({found.group().strip("_").lower()}),)
            yield Concern("production", f"the word {found.group()} promises consequences", asked)
        if tool == "Agent":
            yield from _orders(str(given.get("prompt", "")), context)
        yield from _text(text)


def edited(tool: str, given: Mapping[str, Any]) -> str:
    """The file that a call of an editing tool writes; empty for another tool."""
    return str(given.get("file_path") or given.get("notebook_path") or "") if tool in _EDITORS else ""


def changes(tool: str) -> bool:
    """Whether a call of a tool that is no shell does more than look, as far as its name tells."""
    words = tool.rpartition("__")[2].lower().replace("-", "_").split("_")
    return tool in _EDITORS or (tool.startswith("mcp__") and not LOOKING & set(words))


def spelled(tool: str) -> tuple[Start, ...]:
    """The words of a tool's name as if they were a command, to be held against the user's limits."""
    name = tool.rpartition("__")[2].replace("-", "_").replace("_", " ") if tool.startswith("mcp__") else tool
    return (Start(tuple(name.split())),)


def _looked_at(path: str, context: Context) -> Iterator[Concern]:
    yield from paths.of_path(path, "read", context)
    home = context.question.home
    if path and f"{home}/".startswith(f"{context.absolute(path).rstrip('/')}/"):
        yield Concern("credential-exposure", f"it looks through all that lies in {path}, secrets too")


def _orders(prompt: str, context: Context) -> Iterator[Concern]:
    """What an agent is told to do, by its words, and which files it is pointed to."""
    words = frozenset(_WORD.findall(prompt.lower()))
    for category, verbs in _ORDERS:
        given = words.intersection(verbs.split())
        if given:
            yield Concern(category, f"it tells an agent: {', '.join(sorted(given))}", (frozenset(verbs.split()),))
    for path in dict.fromkeys(_SPELLED.findall(prompt)):
        yield from paths.of_path(path, "read", context)


def _address(url: str) -> Iterator[Concern]:
    """An address that carries more than it asks for."""
    if SECRET_TEXT.search(url) or _CREDENTIAL_IN_ADDRESS.search(url):
        yield Concern("exfiltration", "the address carries a credential")
    elif _CARRIED.search(url.partition("://")[2].partition("/")[2]):
        hosts = frozenset(_HOST.findall(url))
        yield Concern("publication", "the address carries content to its host", (frozenset({"{host}"}),), hosts)
    if _CLIMBS.search(url):
        yield Concern("intrusion", "the address climbs out of its folder")
    if any(host in url.lower() for host in _METADATA):
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
    words = name.replace("-", "_").removeprefix("browser_").split("_")
    text = " ".join(str(value) for value in given.values())
    yield from _address(str(given.get("url", "")))
    changes = _CHANGES.search(text)
    if changes is not None:
        asked = (_CHANGING, frozenset({"{name}"}))
        yield Concern("destruction", f"{changes.group()}: it changes a database", asked, frozenset(text.split()))
    secret = _SECRETS.intersection(words)
    if secret:
        why = f"{name}: it reads secrets"
        yield Concern("credential-exposure", why, (_SECRETS, frozenset({"{name}"})), frozenset(text.split()))
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
