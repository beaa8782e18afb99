"""Inputs that are refused before any permission check, and calls that fail though they are allowed; measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolaudit.model import Behavior, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace, RealWorkspace, UnknownWorkspace
from toolaudit.pipeline import decide
from toolaudit.settings import load_objects
from toolaudit.tools.session import Session
from toolaudit.tools.validation import misfit, misfit_agent

CWD, HOME = "/srv/app", "/home/dana"
FILES = {
    "a.txt": "one\ntwo\n",
    "twice.txt": "x x\n",
    "empty": "",
    "crlf": "a\r\nb\r\n",
    "quotes": "it\u2019s \u201cq\u201d\n",
    "binary": "\0\1",
    "n.ipynb": "{}",
    "long": "z" * 300_000,
    f"{HOME}/notes.txt": "one\n",
    f"{HOME}/other.txt": "one\n",
    f"{HOME}/linked.txt": "one\n",
    ".claude/skills/hidden/SKILL.md": "---\ndisable-model-invocation: true\n---\n",
}
LINKS = {"loop": "loop", "ln": f"{HOME}/linked.txt"}
WORKSPACE = DataWorkspace.describe(CWD, HOME, FILES, LINKS)


def policy(**permissions: Any) -> Policy:
    return load_objects({Scope.USER: {"permissions": permissions}}, cwd=CWD, home=HOME)


def behaviors(
    *calls: tuple[str, Mapping[str, Any]], mode: Mode = Mode.ACCEPT_EDITS, rules: Policy | None = None
) -> list[str]:
    """What becomes of calls of one session, in their order."""
    session = Session(WORKSPACE)
    rules = rules or policy()
    return [str(decide(ToolCall(*call), rules, mode, WORKSPACE, session=session).behavior) for call in calls]


def edit(path: str, old: str, new: str = "new", **further: Any) -> tuple[str, Mapping[str, Any]]:
    return "Edit", {"file_path": path, "old_string": old, "new_string": new, **further}


def write(path: str, text: str = "new") -> tuple[str, Mapping[str, Any]]:
    return "Write", {"file_path": path, "content": text}


def read(path: str, **further: Any) -> tuple[str, Mapping[str, Any]]:
    return "Read", {"file_path": path, **further}


FETCH = "https://example.com/"

INVALID: list[tuple[str, Mapping[str, Any]]] = [
    ("Read", {}),
    ("Read", {"file_path": 5}),
    ("Read", {"file_path": None}),
    ("Read", {"file_path": "a.txt", "limit": "many"}),
    ("Read", {"file_path": "a.txt", "limit": 1.5}),
    ("Read", {"file_path": "a.txt", "limit": True}),
    ("Read", {"file_path": "a.txt", "further": 1}),
    ("Read", {"file_path": "a.txt", "pages": "x"}),
    ("Read", {"file_path": "a.txt", "pages": "1-30"}),
    read("a\0b"),
    read("x" * 4097),
    read("a.exe"),
    read("/dev/stdin"),
    read("/proc/self/environ"),
    read("missing"),
    read("."),
    read("long"),
    read("long", offset=10),
    read("long", limit="0", allow_large="false"),
    edit("a.txt", "one", "one"),
    edit("a.txt", "absent"),
    edit("a.txt", "One"),
    edit("a.txt", "one "),
    edit("a.txt", ""),
    edit("twice.txt", "x"),
    edit("missing", "x"),
    edit("n.ipynb", "x"),
    edit("binary", "x"),
    edit("loop", "x"),
    edit("a.txt/below", ""),
    edit("a.txt", "one", replace_all="yes"),
    edit("a.txt", "one", replace_all=1),
    edit(f"{HOME}/notes.txt", "one"),
    write("."),
    write("binary"),
    write("a.txt/below"),
    write("/dev/null"),
    write(f"{HOME}/notes.txt"),
    ("Write", {"file_path": "n", "content": {}}),
    ("NotebookEdit", {"notebook_path": "a.txt", "new_source": ""}),
    ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": ""}),
    ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "", "edit_mode": "change"}),
    ("WebFetch", {"url": "example.com", "prompt": "x"}),
    ("WebFetch", {"url": FETCH + "a" * 2000, "prompt": "x"}),
    ("WebSearch", {"query": "a"}),
    ("WebSearch", {"query": "abc", "allowed_domains": ["a.b"], "blocked_domains": ["c.d"]}),
    ("Bash", {"command": ["ls"]}),
    ("Bash", {"command": "ls", "further": 1}),
    ("Agent", {"prompt": "x"}),
    ("Agent", {"prompt": "x", "description": "d", "model": "unheard-of"}),
    ("Agent", {"prompt": "x", "description": "d", "subagent_type": "unheard-of"}),
    ("AskUserQuestion", {"questions": []}),
    ("AskUserQuestion", {"questions": [{"question": "q"}]}),
    ("CronCreate", {"cron": "daily", "prompt": "x"}),
    ("CronDelete", {"id": "x"}),
    ("EnterWorktree", {"name": "a b"}),
    ("EnterWorktree", {"name": "a", "path": "/b"}),
    ("ExitPlanMode", {}),
    ("ExitWorktree", {"action": "keep"}),
    ("Monitor", {"description": "d"}),
    ("Monitor", {"command": "ls", "description": "d", "timeout_ms": 5}),
    ("ScheduleWakeup", {}),
    ("SendMessage", {"to": "a"}),
    ("Skill", {"skill": "unheard-of"}),
    ("Skill", {"skill": "hidden"}),
    ("TaskStop", {"task_id": "1"}),
    ("Workflow", {}),
]

VALID: list[tuple[str, Mapping[str, Any]]] = [
    read("a.txt"),
    read(" a.txt "),
    read("a.txt", limit="5", offset=0),
    read("a.txt", limit=-1),
    read("long", limit=10),
    read("long", offset=10, limit="10"),
    read("long", allow_large="true"),
    read("binary"),
    edit("a.txt", "one\ntwo"),
    edit("crlf", "a\nb"),
    edit("quotes", 'it\'s "q"'),
    edit("twice.txt", "x", replace_all="true"),
    edit("empty", ""),
    edit("missing", ""),
    write("a.txt"),
    write("fresh/deep/file"),
    ("Skill", {"skill": "init", "further": 1}),
    ("ToolSearch", {"query": "x", "further": 1}),
    ("Agent", {"prompt": "x", "description": "d", "subagent_type": "explore"}),
]


@pytest.mark.parametrize("call", INVALID, ids=[f"{tool} {str(given)[:50]}" for tool, given in INVALID])
def test_invalid(call: tuple[str, Mapping[str, Any]]) -> None:
    assert behaviors(call) == ["invalid"]


@pytest.mark.parametrize("call", VALID, ids=[f"{tool} {str(given)[:50]}" for tool, given in VALID])
def test_valid(call: tuple[str, Mapping[str, Any]]) -> None:
    assert behaviors(call) == ["allow"]


def test_without_a_session_nothing_is_invalid() -> None:
    for call in INVALID:
        assert decide(ToolCall(*call), policy(), Mode.DEFAULT, UnknownWorkspace()).behavior is not Behavior.INVALID


def test_a_file_that_was_read_may_be_edited() -> None:
    notes = f"{HOME}/notes.txt"
    rules = policy(allow=["Read", "Edit", "Write"])
    calls = [
        edit(notes, "one"),
        read(f"{HOME}//./notes.txt", limit=1),
        edit(notes, "one", "two"),
        edit(notes, "one"),
        edit(notes, "two"),
        write(notes, "three"),
        edit(notes, "three"),
    ]
    assert behaviors(*calls, rules=rules) == ["invalid", "allow", "allow", "invalid", "allow", "allow", "allow"]


def test_a_file_read_through_a_link_is_not_read() -> None:
    rules = policy(allow=["Read", "Edit"])
    assert behaviors(read("ln"), edit(f"{HOME}/linked.txt", "one"), rules=rules) == ["allow", "invalid"]


def test_what_a_session_writes_is_there_for_the_next_call() -> None:
    calls = [write("d/new", "a"), read("d/new"), read("d"), write("d"), edit("d/new", "a", "b"), edit("d/new", "a")]
    assert behaviors(*calls) == ["allow", "allow", "invalid", "invalid", "allow", "invalid"]


def test_a_read_that_was_not_allowed_does_not_count() -> None:
    other = f"{HOME}/other.txt"
    assert behaviors(read(other), edit(other, "one"), rules=policy(allow=["Edit"])) == ["ask", "invalid"]


@pytest.mark.parametrize(
    ("rules", "mode", "expected"),
    [
        ({}, Mode.DEFAULT, "invalid"),
        ({"allow": ["Read"]}, Mode.DEFAULT, "invalid"),
        ({"allow": ["Read(~/**)"]}, Mode.DEFAULT, "ask"),
        ({"allow": ["Edit(~/**)"]}, Mode.DEFAULT, "allow"),
        ({}, Mode.AUTO, "invalid"),
        ({}, Mode.PLAN, "invalid"),
        ({}, Mode.BYPASS, "allow"),
        ({"ask": ["Read"]}, Mode.BYPASS, "invalid"),
        ({"ask": ["Read(~/**)"]}, Mode.BYPASS, "invalid"),
        ({"blockReadsOutsideWorkingDirectories": True}, Mode.BYPASS, "invalid"),
    ],
)
def test_a_file_that_may_be_read_silently_may_be_edited(rules: dict[str, Any], mode: Mode, expected: str) -> None:
    assert behaviors(edit(f"{HOME}/notes.txt", "one"), mode=mode, rules=policy(**rules)) == [expected]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (edit("a.txt", "one", "one"), "invalid"),
        (edit("missing", "x"), "deny"),
        (edit("a.txt", "absent"), "deny"),
        (write("."), "invalid"),
        (read("missing"), "deny"),
        (read("a\0b"), "invalid"),
        (("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": ""}), "invalid"),
    ],
)
def test_deny_rules_come_before_files_and_after_the_schema(call: tuple[str, Mapping[str, Any]], expected: str) -> None:
    assert behaviors(call, rules=policy(deny=["Read(**)", "Edit(**)"])) == [expected]


def test_hooks_do_not_hear_of_invalid_calls() -> None:
    hooks = [{"decision": "deny"}]
    for call, expected in ((edit("missing", "x"), Behavior.INVALID), (read("missing"), Behavior.DENY)):
        session = Session(WORKSPACE)
        decision = decide(ToolCall(*call), policy(), Mode.DEFAULT, WORKSPACE, hooks=hooks, session=session)
        assert decision.behavior is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (FETCH, "allow"),
        ("https://example.com:8443/", "allow"),
        ("ftp://example.com/", "allow"),
        ("http://localhost:8000/", "invalid"),
        ("https://[::1]/", "invalid"),
        ("https://user@example.com/", "invalid"),
        ("file:///etc/passwd", "invalid"),
    ],
)
def test_what_can_not_be_fetched_fails_after_it_was_allowed(url: str, expected: str) -> None:
    call = ("WebFetch", {"url": url, "prompt": "x"})
    assert behaviors(call, rules=policy(allow=["WebFetch"])) == [expected]
    assert behaviors(call) == ["ask"]


COMMANDS = [
    ({"command": "ls\x0b"}, "invalid"),
    ({"command": "ls\r\npwd"}, "invalid"),
    ({"command": "ls \x85"}, "invalid"),
    ({"command": "ls\ta\npwd"}, "allow"),
    ({"command": "sleep 25"}, "invalid"),
    ({"command": "sleep 24"}, "allow"),
    ({"command": "sleep 30 && ls"}, "invalid"),
    ({"command": "  sleep  30.5 2>&1 # x"}, "invalid"),
    ({"command": "sleep 30 &"}, "invalid"),
    ({"command": "ls; sleep 30"}, "allow"),
    ({"command": "timeout 40 sleep 30"}, "allow"),
    ({"command": "sleep 1m"}, "allow"),
    ({"command": "sleep 30", "run_in_background": True}, "allow"),
]


@pytest.mark.parametrize(("given", "expected"), COMMANDS)
def test_commands_that_are_refused_as_input(given: Mapping[str, Any], expected: str) -> None:
    assert behaviors(("Bash", given), mode=Mode.BYPASS) == [expected]


def test_an_agent_is_known_by_the_name_its_file_gives(tmp_path: Path) -> None:
    files = {
        ".claude/agents/a.md": "---\nname: Rev\ndescription: d\n---\nx",
        ".claude/agents/b.txt": "---\nname: no\n---\n",
    }
    data = DataWorkspace.describe(CWD, HOME, files)
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/a.md").write_text(files[".claude/agents/a.md"])
    for workspace in (data, RealWorkspace(str(tmp_path), HOME)):
        assert misfit_agent("rev", workspace) is None
        assert misfit_agent("no", workspace) == "there is no agent of this type"
    assert misfit_agent("no", UnknownWorkspace()) is None


@pytest.mark.parametrize(("cell", "fits"), [("c1", True), ("cell-0", True), ("cell-1", False), ("nope", False)])
def test_a_notebook_is_edited_in_a_cell_it_has(cell: str, fits: bool) -> None:
    files = {"n.ipynb": '{"cells": [{"id": "c1", "cell_type": "code", "source": "x"}]}'}
    workspace = DataWorkspace.describe(CWD, HOME, files)
    session = Session(workspace)
    session.record(ToolCall("Read", {"file_path": "n.ipynb"}), f"{CWD}/n.ipynb")
    call = ToolCall("NotebookEdit", {"notebook_path": "n.ipynb", "cell_id": cell, "new_source": "y"})
    told = misfit(call, f"{CWD}/n.ipynb", workspace, session, Mode.DEFAULT, readable=True)
    assert told == (None if fits else "the notebook has no such cell")
