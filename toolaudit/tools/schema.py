"""Input schemas of the built-in tools, as strict as the client is: what a call must give, may give, and of which type.

Source: documents, 12; measured. A number may be given as a string of digits and a boolean as `true` or `false`. Most
tools refuse parameters they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from toolaudit.patterns import late
from toolaudit.structs import Struct, field

STRING: Final = "string"
NUMBER: Final = "number"
INTEGER: Final = "integer"
BOOLEAN: Final = "boolean"
ARRAY: Final = "array"
OBJECT: Final = "object"
ANY: Final = "any"

URL_LIMIT: Final = 2000
"""The most characters a URL may have."""

QUERY_MINIMUM: Final = 2
"""The fewest characters a web search may have."""

MONITOR_MINIMUM: Final = 1000
"""The shortest time-out of a monitor, in milliseconds."""

_DIGITS: Final = late(r"-?\d+(?:\.\d+)?")
_WORKTREE: Final = late(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*")


class Schema(Struct):
    """The parameters of one tool: name -> type."""

    required: Mapping[str, str]
    optional: Mapping[str, str]
    closed: bool = True
    """A parameter that is not listed makes the call invalid."""
    choices: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Parameter -> the only values it may have."""


def _schema(required: str, optional: str = "", *, closed: bool = True, **choices: str) -> Schema:
    return Schema(
        _fields(required), _fields(optional), closed, {name: frozenset(v.split()) for name, v in choices.items()}
    )


def _fields(text: str) -> Mapping[str, str]:
    return MappingProxyType({name: kind for name, _, kind in (part.partition(":") for part in text.split())})


SCHEMAS: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        "Agent": _schema(
            "description:string prompt:string",
            "subagent_type:string model:string effort:string run_in_background:boolean isolation:string name:string",
            model="sonnet opus haiku fable",
            effort="low medium high xhigh max",
            isolation="worktree remote",
        ),
        "AskUserQuestion": _schema("questions:array", "answers:object annotations:object metadata:object"),
        "Bash": _schema(
            "command:string",
            "timeout:number description:string run_in_background:boolean dangerouslyDisableSandbox:boolean",
        ),
        "CronCreate": _schema("cron:string prompt:string", "recurring:boolean durable:boolean"),
        "CronDelete": _schema("id:string"),
        "CronList": _schema(""),
        "Edit": _schema("file_path:string old_string:string new_string:string", "replace_all:boolean"),
        "EnterPlanMode": _schema(""),
        "EnterWorktree": _schema("", "name:string path:string"),
        "ExitPlanMode": _schema("", "plan:string planFilePath:string allowedPrompts:array", closed=False),
        "ExitWorktree": _schema("action:string", "discard_changes:boolean", action="keep remove"),
        "ListAgents": _schema("", "channel:string q:string cursor:string"),
        "Monitor": _schema("description:string", "command:string ws:object timeout_ms:number", closed=False),
        "NotebookEdit": _schema(
            "notebook_path:string new_source:string",
            "cell_id:string cell_type:string edit_mode:string",
            cell_type="code markdown",
            edit_mode="replace insert delete",
        ),
        "Read": _schema("file_path:string", "offset:integer limit:integer pages:string allow_large:boolean"),
        "ReportFindings": _schema("findings:array", "level:string", level="low medium high xhigh max"),
        "ScheduleWakeup": _schema("", "delaySeconds:number reason:string prompt:string stop:boolean noop:boolean"),
        "SendMessage": _schema("to:string", "message:string summary:string notify_when_idle:boolean"),
        "Skill": _schema("skill:string", "args:string", closed=False),
        "TaskStop": _schema("", "task_id:string shell_id:string"),
        "ToolSearch": _schema("query:string", "max_results:number", closed=False),
        "WebFetch": _schema("url:string prompt:string", "offset:integer"),
        "WebSearch": _schema("query:string", "allowed_domains:array blocked_domains:array"),
        "Workflow": _schema(
            "",
            "script:string name:string description:string title:string args:any scriptPath:string "
            "resumeFromRunId:string",
        ),
        "Write": _schema("file_path:string content:string"),
    }
)
"""Canonical name -> schema. A tool that is not listed takes any input."""


def fault(tool: str, given: Mapping[str, Any]) -> str | None:
    """What is wrong with the raw input of a call, in one sentence, or None."""
    schema = SCHEMAS.get(tool)
    if schema is None:
        return None
    for name in schema.required:
        if name not in given:
            return f"the required parameter {name} is missing"
    for name, value in given.items():
        kind = schema.required.get(name) or schema.optional.get(name)
        if kind is None:
            if schema.closed:
                return f"there is no parameter {name}"
        elif not fits(value, kind):
            return f"{name} must be of type {kind}"
        elif name in schema.choices and value not in schema.choices[name]:
            return f"{name} must be one of {', '.join(sorted(schema.choices[name]))}"
    further = _FURTHER.get(tool)
    return None if further is None else further(given)


def fits(value: object, kind: str) -> bool:
    """Whether a raw value counts as one of the type."""
    match value:
        case bool():
            return kind in (BOOLEAN, ANY)
        case str():
            if kind == BOOLEAN:
                return value in ("true", "false")
            if kind in (NUMBER, INTEGER):
                return _DIGITS.fullmatch(value) is not None and (kind == NUMBER or "." not in value)
            return kind in (STRING, ANY)
        case int():
            return kind in (NUMBER, INTEGER, ANY)
        case float():
            return kind in (NUMBER, ANY) or (kind == INTEGER and value.is_integer())
        case list():
            return kind in (ARRAY, ANY)
        case dict():
            return kind in (OBJECT, ANY)
        case _:
            return kind == ANY


def _web_fetch(given: Mapping[str, Any]) -> str | None:
    if len(given["url"]) > URL_LIMIT:
        return f"a URL has at most {URL_LIMIT} characters"
    from toolaudit.rules import urls

    return None if urls.parse(given["url"]) is not None else "url must be a URL"


def _web_search(given: Mapping[str, Any]) -> str | None:
    if len(given["query"]) < QUERY_MINIMUM:
        return f"query must have at least {QUERY_MINIMUM} characters"
    if given.get("allowed_domains") and given.get("blocked_domains"):
        return "allowed_domains and blocked_domains rule each other out"
    return None


def _monitor(given: Mapping[str, Any]) -> str | None:
    if ("command" in given) == ("ws" in given):
        return "exactly one of command and ws must be given"
    if "timeout_ms" in given and float(given["timeout_ms"]) < MONITOR_MINIMUM:
        return f"timeout_ms must be at least {MONITOR_MINIMUM}"
    return None


def _worktree(given: Mapping[str, Any]) -> str | None:
    if "name" in given and "path" in given:
        return "name and path rule each other out"
    if "name" in given and not _WORKTREE.fullmatch(given["name"]):
        return "name must be made of letters, digits, dots, dashes and underscores"
    return None


def _questions(given: Mapping[str, Any]) -> str | None:
    if not given["questions"]:
        return "questions must not be empty"
    asked = all(isinstance(one, dict) and {"question", "header", "options"} <= one.keys() for one in given["questions"])
    return None if asked else "each question needs question, header and options"


def _task_stop(given: Mapping[str, Any]) -> str | None:
    return None if given.get("task_id") or given.get("shell_id") else "the required parameter task_id is missing"


def _cron(given: Mapping[str, Any]) -> str | None:
    return None if len(given["cron"].split()) == 5 else "cron must have five fields"


def _wakeup(given: Mapping[str, Any]) -> str | None:
    stops = given.get("stop") in (True, "true")
    return None if stops or {"delaySeconds", "reason"} <= given.keys() else "delaySeconds and reason are required"


def _message(given: Mapping[str, Any]) -> str | None:
    return None if given.get("message") else "message must not be empty"


def _workflow(given: Mapping[str, Any]) -> str | None:
    return (
        None if {"script", "name", "scriptPath", "resumeFromRunId"} & given.keys() else "script or name must be given"
    )


_FURTHER: Final = {
    "AskUserQuestion": _questions,
    "CronCreate": _cron,
    "EnterWorktree": _worktree,
    "Monitor": _monitor,
    "ScheduleWakeup": _wakeup,
    "SendMessage": _message,
    "TaskStop": _task_stop,
    "WebFetch": _web_fetch,
    "WebSearch": _web_search,
    "Workflow": _workflow,
}
