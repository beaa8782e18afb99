"""SWE-agent's trajectories: each step one line of its own shell, which adds commands for files to those of bash.

Where the model called tools, the history holds those calls beside the steps, and their parameters need no guessing.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from toolaudit.transcripts.foreign.document import beginning, begins, items, parse_object, record, string, values
from toolaudit.transcripts.foreign.recording import Recording, parameters, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall

NAME = "swe-agent"

_OWN = frozenset(
    """
    connect_sendline connect_start connect_stop create debug_add_breakpoint debug_continue debug_exec debug_start
    debug_step debug_stop decompile disassemble edit exit_cost exit_forfeit find_file goto insert open scroll_down
    scroll_up search_dir search_file set_cursors str_replace_editor submit view_image
    """.split()
)
"""Commands that its shell adds; the table of counterparts knows those that work on files."""

_IN_PLACE = frozenset({"edit", "insert", "open"})
"""Commands that mean the open file where they name none."""


def detects(head: Sequence[bytes]) -> bool:
    start = beginning(head)
    return begins(head) and (
        (b'"trajectory"' in start and (b'"observation"' in start or b'"environment"' in start))
        or (b'"history"' in start and b'"message_type"' in start)
    )


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    for item in values(lines, file):
        if isinstance(item, Problem):
            yield item
            continue
        document = record(item[1])
        recording = Recording(NAME, file)
        opened: str | None = None
        asked = [each for each in map(record, items(document.get("history"))) if each.get("message_type") == "action"]
        steps = [record(step) for step in items(document.get("trajectory"))] or asked
        for place, step in enumerate(steps, 1):
            action = string(step.get("action"))
            if action is not None and action.strip():
                message = asked[place - 1] if len(asked) == len(steps) else {}
                name, given = _called(message, action, opened) or _command(action.strip(), opened)
                id = recording.unnamed()
                yield from recording.call(name, given, place, id=id)
                yield from recording.result(id, ran(False, "an observation", Grounds.HEURISTIC))
            state = step.get("state")
            state = record(state) or parse_object(state)
            recording.cwd = string(state.get("working_dir")) or recording.cwd
            recording.root = recording.root or recording.cwd
            opened = string(state.get("open_file"))


def _called(message: dict[str, Any], action: str, opened: str | None) -> tuple[object, dict[str, Any]] | None:
    """The call that the model made in this step, if it made exactly one."""
    calls = items(message.get("tool_calls"))
    if len(calls) != 1 or message.get("action") != action:
        return None
    function = record(record(calls[0]).get("function"))
    given = parameters(function.get("arguments"))
    if not string(function.get("name")) or given is None:
        return None
    here = {"path": opened} if function["name"] in _IN_PLACE and opened not in (None, "n/a") else {}
    return function["name"], {**here, **given}


def _command(action: str, opened: str | None) -> tuple[str, dict[str, Any]]:
    """The call behind a line: a command of its own with its parameters, or a line for bash."""
    name = action.split(None, 1)[0]
    if name not in _OWN:
        return "bash", {"command": action}
    try:
        words = shlex.split(action)[1:]
    except ValueError:
        words = action.split()[1:]
    here = {"path": opened} if opened not in (None, "n/a") else {}
    match name:
        case "open":
            return name, {"path": words[0]} if words else here
        case "create":
            return name, {"path": words[0], "content": ""} if words else {}
        case "edit" | "insert":
            return name, {**here, "text": action.partition("\n")[2] or " ".join(words)}
        case "str_replace_editor":
            return name, _editor(words)
        case "find_file":
            return name, dict(zip(("file_name", "dir"), words, strict=False))
        case "search_dir" | "search_file":
            return name, dict(zip(("search_term", "path"), words, strict=False))
        case _:
            return name, {"input": action}


def _editor(words: Sequence[str]) -> dict[str, Any]:
    """`str_replace_editor COMMAND PATH [--OPTION VALUE ...]`."""
    given: dict[str, Any] = dict(zip(("command", "path"), words, strict=False))
    for option, value in pairwise(words[2:]):
        if option.startswith("--"):
            given[option.removeprefix("--")] = value
    return given
