"""The case format: one JSON object a line, and lines that name defaults which later lines share.

`{"base": NAME, "defaults": {…}}` names fields that later lines with `"base": NAME` share; a case's own fields win.
Paths may use `{cwd}` and `{home}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolaudit.model import Mode, Scope

CWD = "/tmp/probe/work"
HOME = "/tmp/probe/home"
"""Where `{cwd}` and `{home}` are put when a case is decided without a machine: where they were when it was measured."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question: a call, and everything its answer may depend on."""

    id: str
    line: int
    tool: str
    input: Mapping[str, Any]
    settings: Mapping[str, Any]
    mode: str | None
    trusted: bool
    files: Mapping[str, str]
    links: Mapping[str, str]
    git: bool
    start: str
    mcp: Mapping[str, tuple[str, ...]]
    hooks: tuple[Mapping[str, Any], ...]
    env: Mapping[str, str]
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no case."""

    line: int
    message: str
    id: str | None = None


FIELDS = frozenset(
    """
    args base confidence defaults env expected files git hooks id input links mcp mode note settings source start tool
    topic trusted why
    """.split()
)


def read_cases(lines: Iterable[str]) -> Iterator[Case | BadLine]:
    """The cases of `lines`, in order; a line that is none yields a `BadLine` and the rest goes on."""
    bases: dict[str, Mapping[str, Any]] = {}
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield BadLine(number, f"expected one JSON object, got a line that is none: {error}")
            continue
        if not isinstance(fields, dict):
            yield BadLine(number, f"expected a JSON object, got {type(fields).__name__}")
        elif "defaults" in fields:
            if not isinstance(fields.get("base"), str) or not isinstance(fields["defaults"], dict):
                yield BadLine(number, "expected `base` to be a name and `defaults` an object")
            else:
                bases[fields["base"]] = fields["defaults"]
        else:
            yield _case(number, fields, bases)


def _case(number: int, fields: dict[str, Any], bases: Mapping[str, Mapping[str, Any]]) -> Case | BadLine:
    name = fields.get("base")
    if name is not None:
        if not isinstance(name, str) or name not in bases:
            return BadLine(number, f"expected `base` to name defaults of an earlier line, got {name!r}", _id(fields))
        fields = {**bases[name], **fields}
    for field, kind in REQUIRED:
        if not isinstance(fields.get(field), kind):
            got = type(fields[field]).__name__ if field in fields else "nothing"
            return BadLine(number, f"expected `{field}` to be {KINDS[kind]}, got {got}", _id(fields))
    for field, kind in OPTIONAL:
        if fields.get(field) is not None and not isinstance(fields[field], kind):
            return BadLine(
                number, f"expected `{field}` to be {KINDS[kind]}, got {type(fields[field]).__name__}", _id(fields)
            )
    odd = next((f"expected {expected}" for holds, expected in CONTENTS if not holds(fields)), None)
    if odd is not None:
        return BadLine(number, odd, _id(fields))
    filled = fill({key: value for key, value in fields.items() if key in FIELDS}, {"{cwd}": CWD, "{home}": HOME})
    return Case(
        id=fields["id"],
        line=number,
        tool=filled["tool"],
        input=filled["input"],
        settings=filled.get("settings") or {},
        mode=filled.get("mode"),
        trusted=filled.get("trusted") is not False,
        files=filled.get("files") or {},
        links=filled.get("links") or {},
        git=filled.get("git") is not False,
        start=filled.get("start") or CWD,
        mcp={server: tuple(tools) for server, tools in (filled.get("mcp") or {}).items()},
        hooks=tuple(filled.get("hooks") or ()),
        env=filled.get("env") or {},
        args=tuple(filled.get("args") or ()),
    )


KINDS: Mapping[type, str] = {str: "a string", dict: "an object", list: "a list", bool: "true or false"}
REQUIRED: tuple[tuple[str, type], ...] = (("id", str), ("tool", str), ("input", dict))
OPTIONAL: tuple[tuple[str, type], ...] = (
    ("settings", dict),
    ("mode", str),
    ("trusted", bool),
    ("files", dict),
    ("links", dict),
    ("git", bool),
    ("start", str),
    ("mcp", dict),
    ("hooks", list),
    ("env", dict),
    ("args", list),
)


def _items(fields: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    return fields.get(field) or {}


def _is_mode(word: str | None) -> bool:
    return word is None or word == "manual" or word in tuple(Mode)


SCOPES = tuple(map(str, Scope))

CONTENTS: tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...] = (
    (lambda fields: _is_mode(fields.get("mode")), f"`mode` to be one of {', '.join(Mode)}"),
    (
        lambda fields: all(scope in SCOPES for scope in _items(fields, "settings")),
        f"`settings` to name scopes: {', '.join(SCOPES)}",
    ),
    (
        lambda fields: all(isinstance(text, str) for text in _items(fields, "files").values()),
        "`files` to hold a string for each path",
    ),
    (
        lambda fields: all(isinstance(target, str) for target in _items(fields, "links").values()),
        "`links` to hold a path for each path",
    ),
    (
        lambda fields: all(
            isinstance(tools, list) and all(isinstance(tool, str) for tool in tools)
            for tools in _items(fields, "mcp").values()
        ),
        "`mcp` to hold a list of tool names for each server",
    ),
    (
        lambda fields: all(isinstance(hook, dict) for hook in fields.get("hooks") or ()),
        "`hooks` to be a list of objects",
    ),
)
"""What the fields of a case must hold, and the words for it."""


def fill(value: Any, names: Mapping[str, str]) -> Any:
    """`value` with each placeholder of `names` replaced in every string, keys included."""
    if isinstance(value, str):
        for name, text in names.items():
            if name in value:
                value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [fill(item, names) for item in value]
    if isinstance(value, dict):
        return {fill(key, names): fill(item, names) for key, item in value.items()}
    return value


def _id(fields: Mapping[str, Any]) -> str | None:
    return fields["id"] if isinstance(fields.get("id"), str) else None
