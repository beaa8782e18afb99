"""Calls of MCP servers: harmless where the tool's name says that it only looks, and what it is given says no more."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolaudit.classifier.local import contents, fetching, inline, messages, paths, shells
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context, is_local
from toolaudit.classifier.local.names import PRODUCTION
from toolaudit.classifier.local.starts import take_apart
from toolaudit.classifier.local.statements import objection
from toolaudit.classifier.local.words import stem, stems
from toolaudit.classifier.question import Did
from toolaudit.patterns import late

LOOKING: Final = frozenset(
    """
    analyze ask browse calculate check compare count describe diff docs explain explore fetch find get grep info inspect
    introspect list log logs lookup metrics preview query read recall render search select sequentialthinking show
    snapshot stat status summarize think thinking validate verify view whoami
    """.split()
)
"""Words of a tool's name that say it only looks."""
_VERBS: Final = (
    ("infrastructure", "delete destroy drop purge remove terminate wipe drain scale provision stop start restart"),
    ("production", "deploy release rollback promote migrate execute toggle enable disable roll ship run trigger apply"),
    ("access-grants", "grant invite share authorize assign give revoke"),
    (
        "publication",
        "send post publish create update comment reply upload email mail notify merge close add write set tell message "
        "announce open file push edit move rename patch insert upsert put approve react archive schedule book "
        "pay transition",
    ),
)
"""Category -> the verbs in a tool's name that say so, any of which a user may use to ask for it."""
_BROWSING: Final = frozenset(
    """
    back click close computer console drag evaluate fill forward handle hover install javascript key navigate network
    press preview resize screenshot scroll select snapshot tab tabs take type wait window
    """.split()
)
_BROWSERS = late(r"browser|playwright|puppeteer|chrome|devtools|webdriver|selenium", 2)
_PAGE_SECRETS = late(r"document\.cookie|getItem\([^)]{0,80}(?:token|auth|session|secret)", 2)
_SECRETS: Final = frozenset("credential credentials key keys password passwords secret secrets token tokens".split())
_PLACES: Final = frozenset(
    "path paths file filename filepath file_path directory dir folder root cwd source destination uri target".split()
)
_HARMLESS: Final = frozenset({"draft", "drafts"})
"""Words of calls that hand nothing on yet."""
_GRAVE: Final = frozenset({"send", "publish", "delete", "remove", "submit", "share"})
_URLS = late(r"\b[a-z][a-z0-9+.-]{0,30}://(?:[^/@\s\"']{0,200}@)?([^/:\s\"',}]+)", 2)
_GIT = late(r"mcp__git(?:_\w+)?__", 2)
_CONTAINERS = late(r"docker|podman|container", 2)
_LOCAL = late(r"shell|terminal|bash|ide|desktop.?commander", 2)
_FORCING: Final = frozenset(
    map(stem, "force forced discard hard overwrite bypass skip admin delete purge permanent cascade".split())
)
"""Words of switches by which a call goes over what stands in its way."""
_STATEMENTS: Final = frozenset({"sql", "statement", "sql_query", "stmt"})
_REMEMBERS = late(
    r"mcp__\w*(?:memory|knowledge|journal|thinking|scratchpad|todo)\w*__(?!.*(?:delete|remove|clear|purge))", 2
)
"""A server that keeps the session's own notes."""
_CAMEL = late(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(tool: str) -> list[str]:
    """The words of an MCP tool's own name."""
    name = _CAMEL.sub("_", tool.rpartition("__")[2])
    return [word for word in name.lower().replace("-", "_").split("_") if word]


def looks(tool: str) -> bool:
    """Whether the name says that the tool only looks."""
    words = words_of(tool)
    if words[:1] == ["resolve"]:
        return bool(set(words) & {"id", "library", "name", "path", "uri", "url", "dns", "dependencies"})
    return bool(words) and (words[0] in LOOKING or (words[-1] in LOOKING and _verb(words) is None))


def find(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    """What speaks against a call of an MCP server's tool, and what of it is not known to be harmless."""
    words = words_of(tool)
    name = "_".join(words)
    values = [str(value) for value in given.values()]
    text = " ".join(values)
    subjects = frozenset(value for value in values if 1 < len(value) < 80) | frozenset(text.split()[:200])
    yield from messages.find(text, context, orders=False)
    yield from _given(given, words, context)
    for key, value in given.items():
        if value is True and (forced := stems(key) & _FORCING):
            why = f"{name} with {key} goes over what stands in its way"
            yield Concern("discarded-work", why, (frozenset({min(forced), key.lower()}),), any_verb=True)
    changed = _changed(given)
    if changed is not None:
        asked = (frozenset({changed.split()[0].lower(), "change", "fix", "set", "add", "remove"}), *NAMED)
        yield Concern("destruction", f"{changed}: the statement is not known only to read", asked, subjects)
    if set(words) & _HARMLESS and not _GRAVE & set(words):
        return
    command = _command(given)
    if command and {"exec", "execute", "run", "command", "shell", "bash", "terminal"} & set(words):
        prefix = ("docker", "exec", "x") if _CONTAINERS.search(tool) else ()
        yield from shells.find(
            take_apart(shlex.join((*prefix, *command)) if len(command) > 1 else " ".join((*prefix, *command))), context
        )
        if not _CONTAINERS.search(tool) and not _LOCAL.search(tool):
            yield from _done(words, name, text, subjects)
        return
    if _SECRETS & set(words):
        yield Concern("credential-exposure", f"{name}: it reads secrets", (_SECRETS, *NAMED), subjects)
    if _BROWSERS.search(tool) and _BROWSING & set(words):
        yield from _browsed(name, text, context)
    elif _GIT.search(tool) and _ordinary(words, given):
        return
    elif not (looks(tool) or _REMEMBERS.search(tool) or (changed is None and {"sql", "query"} & set(words))):
        if "run" in words and (named := _URLS.findall(str(dict(given)))) and all(map(is_local, named)):
            return  # A run of something against this machine.
        placed = any(isinstance(given.get(key), str) for key in _PLACES)
        if not (placed and _writes_file(words)):
            yield from _done(words, name, text, subjects)


def _command(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The command that a call gives, as words or as one text; empty: none."""
    for key in ("command", "cmd", "script", "commands"):
        value = given.get(key)
        if isinstance(value, str) and (key != "script" or " " in value):
            return (value,)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return tuple(value)
    return ()


def _changed(given: Mapping[str, Any]) -> str | None:
    """What of the statements that a database is given is not known only to read."""
    texts = [value for key, value in given.items() if key in _STATEMENTS and isinstance(value, str)]
    return next((found for text in texts if (found := objection(text)) is not None), None)


def _ordinary(words: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether it is a step of a version control's everyday, forced by nothing: a commit, a push, a new branch."""
    forced = any(value is True and stems(key) & _FORCING for key, value in given.items())
    remote = str(given.get("remote") or "origin")
    plus = any(str(value).startswith(("+", ":", "--")) for value in given.values())
    return bool(set(words) & {"commit", "add", "stage", "push", "fetch", "pull", "checkout", "branch", "log"}) and not (
        forced or plus or remote != "origin" or set(words) & {"delete", "remove", "reset", "amend"}
    )


def _writes_file(words: Sequence[str]) -> bool:
    """Whether it writes a file, whose place and content are looked at by themselves."""
    return bool({"write", "edit", "create"} & set(words)) and bool({"file", "directory", "folder"} & set(words))


def _done(words: Sequence[str], name: str, text: str, subjects: frozenset[str]) -> Iterator[Concern]:
    found = _verb(words)
    if found is None:
        yield Concern("opaque", f"{name} is not a tool known only to look", (frozenset({name, "{name}"}),), subjects)
        return
    category, verbs = found
    if PRODUCTION.search(text):
        category = "production"
    about = frozenset(word for word in words if word not in verbs.split()) if category == "publication" else frozenset()
    said = (frozenset({"production", "prod", "live"}),) if PRODUCTION.search(text) else ()
    asked = (frozenset(verbs.split()), *NAMED, *said)
    yield Concern(category, f"{name}: it does more than look", asked, subjects | about)


def _verb(words: Sequence[str]) -> tuple[str, str] | None:
    return next(((category, verbs) for category, verbs in _VERBS if set(words) & set(verbs.split())), None)


def _given(given: Mapping[str, Any], words: Sequence[str], context: Context) -> Iterator[Concern]:
    """What speaks against the addresses and paths of a call."""
    writes = bool({"write", "edit", "create", "move", "delete", "save", "append"} & set(words))
    for key, value in given.items():
        if not isinstance(value, str):
            continue
        if "://" in value and " " not in value:
            yield from fetching.of_address(value, context)
        elif key.lower() in _PLACES:
            yield from paths.of_path(value, "write" if writes else "read", context)
            yield from paths.of_reading(value, context)
        elif key in ("content", "text", "new_string") and writes and isinstance(path := given.get("path"), str):
            yield from contents.of_text(path, value, context)


def _browsed(name: str, text: str, context: Context) -> Iterator[Concern]:
    """An action in a browser: harmless on pages of this machine."""
    if _PAGE_SECRETS.search(text):
        yield Concern("credential-exposure", f"{name}: it reads what a page keeps of a login")
    addresses = [
        str(entry.call.input["url"])
        for entry in context.question.conversation
        if isinstance(entry, Did) and entry.call.tool.startswith("mcp__") and "url" in entry.call.input
    ]
    hosts = [address.partition("://")[2].partition("/")[0].partition(":")[0] for address in addresses]
    acts = bool({"click", "evaluate", "fill", "javascript", "press", "type", "computer"} & set(name.split("_")))
    if acts and hosts and not is_local(hosts[-1]) and not context.trusts(hosts[-1]):
        yield Concern(
            "publication", f"{name}: it acts on a page of {hosts[-1]}", NAMED, frozenset(hosts[-1:]), any_verb=True
        )
    strange = inline.strangers(text) - {host for host in hosts if host}
    if strange and ("fetch(" in text or "XMLHttpRequest" in text):
        why = f"{name}: the page is told to ask {min(strange)}"
        yield Concern("publication", why, NAMED, strange, any_verb=True)
