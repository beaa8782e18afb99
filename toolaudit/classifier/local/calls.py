"""What speaks against calls of tools that are no shell, and what of them is not known to be harmless."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolaudit.classifier.local import contents, embedded, fetching, messages, paths, places, servers, strangers
from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.names import PRODUCTION, RISKY, objection
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.words import stems
from toolaudit.patterns import late

SHELLS: Final = frozenset({"Bash", "Monitor", "PowerShell"})
_EDITORS: Final = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_READERS: Final = frozenset({"Read", "Grep", "Glob", "NotebookRead", "LS"})
_INERT: Final = frozenset({"EnterWorktree", "ExitWorktree", "TaskStop", "KillShell", "PushNotification", "WebSearch"})
_ORDERING: Final = frozenset({"Agent", "Task", "CronCreate", "ScheduleWakeup", "SendMessage", "Skill", "Workflow"})
_SECRET = late(r"pass(?:word|wd)|secret|token|api_?key|private.?key|credential|BEGIN|AKIA|gh[pousr]_|sk-|xox", 2)
_PLAIN: Final = stems(
    "base branch dry file files format from json lang language limit output path quick since scope to verbose "
    "help check"
)
"""Options of skills that only say what to look at, and how."""
_ASKED: Final = {
    "CronCreate": (
        "persistence",
        "every each daily nightly hourly schedule cron remind minutes hours watch monitor keep poll",
    ),
    "CronDelete": ("destruction", "delete remove stop cancel cron schedule"),
    "RemoteTrigger": ("production", "trigger run start fire launch"),
    "ShareOnboardingGuide": ("publication", "share publish send guide"),
}
"""Tool -> its category, and the words of which a user's request must hold one."""


def find(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    """What speaks against a call of `tool`."""
    text = "\n".join(str(value) for value in given.values())
    if tool in _ASKED:
        category, words = _ASKED[tool]
        yield Concern(category, f"{tool} does something that lasts", (frozenset(words.split()),), any_verb=True)
    if tool in _EDITORS:
        yield from _edit(tool, given, context)
    elif tool in _READERS:
        yield from _looked_at(tool, given, context)
    elif tool == "WebFetch":
        yield from fetching.of_address(str(given.get("url", "")), context)
        yield from messages.find(text, context, orders=False)
    elif tool.startswith("mcp__"):
        yield from servers.find(tool, given, context)
    elif tool in _ORDERING:
        if tool in ("Skill", "Workflow") and (found := RISKY.search(text) or PRODUCTION.search(text)):
            asked = (frozenset({found.group().strip("_").lower()}),)
            yield Concern("production", f"the word {found.group()} promises consequences", asked)
        if tool in ("Skill", "Workflow"):
            yield from _skill(given, context)
        yield from messages.find(text, context, orders=tool not in ("Skill", "Workflow"))
    elif tool in _INERT or tool in _ASKED:
        yield from messages.find(text, context, orders=False)
    elif tool in ("Artifact", "SendUserFile"):
        yield from messages.find(text, context, orders=False)
        for path in [str(given.get("file_path", "")), *map(str, given.get("files") or ())]:
            yield from paths.of_path(path, "read", context)
            yield from paths.of_reading(path, context)
    elif tool not in SHELLS:
        yield Concern("opaque", f"{tool} is not a tool known to be harmless", NAMED, frozenset({tool}), any_verb=True)


def _skill(given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    """A skill by its name, and what it is given beyond what the user named."""
    name = str(given.get("skill") or given.get("name") or given.get("command") or "")
    if objection(name) is not None and not stems(name) & context.said:
        yield Concern("opaque", f"what the skill {name} does can't be told", NAMED, frozenset({name}), any_verb=True)
    args = str(given.get("args") or "")
    strange = strangers.unknown(args, context)
    if strange:
        yield Concern("publication", f"the skill is given {min(strange)}", NAMED, strange, any_verb=True)
    for word in args.split():
        if word.startswith("--") and not stems(word) & (context.said | _PLAIN):
            why = f"the skill is given {word}, which nobody asked for"
            yield Concern("opaque", why, NAMED, frozenset({word}), any_verb=True)


def edited(tool: str, given: Mapping[str, Any]) -> str:
    """The file that a call of an editing tool writes; empty for another tool."""
    return str(given.get("file_path") or given.get("notebook_path") or "") if tool in _EDITORS else ""


def changes(tool: str) -> bool:
    """Whether a call of a tool that is no shell does more than look, as far as its name tells."""
    return tool in _EDITORS or (tool.startswith("mcp__") and not servers.looks(tool))


def spelled(tool: str) -> tuple[Start, ...]:
    """The words of a tool's name as if they were a command, to be held against the user's limits."""
    return (Start(tuple(servers.words_of(tool)) if tool.startswith("mcp__") else (tool,)),)


def _edit(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    path = edited(tool, given)
    edits = given.get("edits")
    pieces = [one for one in edits if isinstance(one, dict)] if isinstance(edits, list) else [given]
    found = False
    for concern in paths.of_path(path, "write", context):
        found = True
        yield concern
    if not found and not places.is_inert(path) and context.inside(context.absolute(path)):
        why = f"{path} is no kind of file known to do nothing by itself"
        yield Concern("opaque", why, NAMED, frozenset({path, path.rpartition("/")[2]}), any_verb=True)
    if given.get("edit_mode") == "delete":
        asked = (frozenset({"delete", "remove", "drop", "clean", "tidy"}),)
        yield Concern("destruction", "it removes a cell, and nobody can tell which", asked, any_verb=True)
    for piece in pieces:
        text = str(piece.get("content") or piece.get("new_string") or piece.get("new_source") or "")
        before = str(piece.get("old_string", ""))
        yield from contents.of_text(path, text, context, before)
        yield from embedded.find(path, text, before, context)


def _looked_at(tool: str, given: Mapping[str, Any], context: Context) -> Iterator[Concern]:
    path = str(given.get("file_path") or given.get("notebook_path") or given.get("path") or ".")
    yield from paths.of_path(path, "read", context)
    if tool in ("Read", "NotebookRead", "Grep"):
        yield from paths.of_reading(path, context)
    pattern = str(given.get("pattern", ""))
    if _SECRET.search(pattern) and not context.inside(context.absolute(path)):
        yield Concern("credential-exposure", f"it searches {path} for credentials")
    if f"{context.question.home}/".startswith(f"{context.absolute(path).rstrip('/')}/"):
        yield Concern("credential-exposure", f"it looks through all that lies in {path}, secrets too")
