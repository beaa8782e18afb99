"""File tools against rules, modes, links and protected names, as measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from toolaudit.model import Decision, Mode, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.pipeline import decide
from toolaudit.settings import load_objects

CWD, HOME = "/srv/app", "/home/dana"
PROJECT = f"{HOME}/.claude/projects/-srv-app"
FILES = {"a.txt": "x\n", "t/x": "x\n", f"{HOME}/out/x": "x\n", f"{HOME}/notes.txt": "x\n", f"{HOME}/more/x": "x\n"}
LINKS = {
    "inside": "t",
    "outside": f"{HOME}/out",
    "file": "a.txt",
    "git": ".git",
    "loop": "loop",
    "chain": "inside",
    f"{HOME}/back": f"{CWD}/t",
    "there": f"{HOME}/back",
}
WORKSPACE = DataWorkspace.describe(CWD, HOME, FILES, LINKS, git=True)


def judged(
    tool: str,
    path: str,
    mode: str = "default",
    *,
    allow: Iterable[str] = (),
    ask: Iterable[str] = (),
    deny: Iterable[str] = (),
    scope: Scope = Scope.USER,
    hook: str | None = None,
    **further: Any,
) -> Decision:
    permissions = {"allow": list(allow), "ask": list(ask), "deny": list(deny), **further}
    policy = load_objects({scope: {"permissions": permissions}}, cwd=CWD, home=HOME)
    values: Mapping[str, Any] = {"file_path": path}
    if tool == "NotebookEdit":
        values = {"notebook_path": path, "new_source": ""}
    hooks = [{"decision": hook}] if hook else ()
    return decide(ToolCall(tool, values), policy, Mode(mode), WORKSPACE, hooks=hooks)


def said(decision: Decision) -> str:
    return f"{decision.behavior}/{decision.reason_type}" if decision.reason_type else str(decision.behavior)


def table(*names: str, rows: list[tuple[str, ...]]) -> pytest.MarkDecorator:
    """Rows that begin with what they show."""
    return pytest.mark.parametrize(names, [row[1:] for row in rows], ids=[row[0] for row in rows])


MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")

WITHOUT_RULES = [
    ("read inside", "Read", "a.txt", "allow allow allow allow allow allow"),
    ("read outside", "Read", f"{HOME}/x", "ask/workingDir ask/workingDir allow allow deny/mode allow"),
    ("read through a link inside", "Read", "chain/x", "allow allow allow allow allow allow"),
    ("read through a link outside", "Read", "outside/x", "ask/workingDir ask/workingDir allow allow deny/mode allow"),
    ("read out and back", "Read", "there/x", "allow allow allow allow allow allow"),
    ("read an odd name", "Read", "a./x", "ask/other ask/other allow allow deny/mode allow"),
    ("read what loops", "Read", "loop", " ".join(["deny/other"] * 6)),
    ("write inside", "Write", "n", "ask allow ask/mode allow deny/mode allow"),
    ("edit inside", "Edit", "a.txt", "ask allow ask/mode allow deny/mode allow"),
    ("edit a notebook", "NotebookEdit", "n.ipynb", "ask allow ask/mode allow deny/mode allow"),
    (
        "write outside",
        "Write",
        f"{HOME}/n",
        "ask/workingDir ask/workingDir ask/mode deny/classifier deny/mode allow",
    ),
    (
        "write a protected file",
        "Write",
        ".git/n",
        "ask/safetyCheck ask/safetyCheck deny/classifier deny/classifier deny/mode allow",
    ),
    (
        "write an odd name",
        "Write",
        "n.",
        "ask/safetyCheck ask/safetyCheck deny/classifier deny/classifier deny/mode allow",
    ),
    (
        "write through a link outside",
        "Write",
        "outside/n",
        "ask/safetyCheck ask/safetyCheck ask/mode ask/safetyCheck deny/mode allow",
    ),
    (
        "write through a link to a protected place",
        "Write",
        "git/n",
        "ask/safetyCheck ask/safetyCheck ask/safetyCheck ask/safetyCheck deny/mode allow",
    ),
    ("write a link", "Write", "file", " ".join(["deny/other"] * 6)),
    ("write a note", "Write", f"{PROJECT}/memory/n.md", " ".join(["allow"] * 6)),
    ("read the project's folder", "Read", f"{PROJECT}/s.jsonl", " ".join(["allow"] * 6)),
    ("write a job", "Write", f"{HOME}/.claude/jobs/n", " ".join(["deny/safetyCheck"] * 6)),
]


@table("tool", "path", "expected", rows=WITHOUT_RULES)
def test_modes_without_rules(tool: str, path: str, expected: str) -> None:
    assert " ".join(said(judged(tool, path, mode)) for mode in MODES) == expected


ALLOW = [
    ("a bare rule is for its tool", "Edit", "Write", "n", "deny/mode"),
    ("a bare rule goes outside", "Write", "Write", f"{HOME}/n", "allow"),
    ("Tool(*) does not", "Write(*)", "Write", f"{HOME}/n", "deny/mode"),
    ("Tool(*) goes inside", "Write(*)", "Write", "n", "allow"),
    ("Read(*) does not go outside", "Read(*)", "Read", f"{HOME}/x", "deny/mode"),
    ("a path rule is for every writer", "Edit(**)", "Write", "n", "allow"),
    ("and for notebooks", "Edit(**)", "NotebookEdit", "n.ipynb", "allow"),
    ("a path rule of Write is none", "Write(**)", "Write", "n", "deny/mode"),
    ("a path rule of Edit reads too", "Edit(~/**)", "Read", f"{HOME}/x", "allow"),
    ("not what is protected", "Edit(~/**)", "Read", f"{HOME}/.bashrc", "deny/mode"),
    ("a bare Edit does not read", "Edit", "Read", f"{HOME}/x", "deny/mode"),
    ("nothing opens what is protected", "Edit(//**)", "Write", ".git/n", "deny/mode"),
    ("a link needs both ends: the first", "Edit(outside/**)", "Write", "outside/n", "deny/mode"),
    ("a link needs both ends: the last", "Edit(~/out/**)", "Write", "outside/n", "deny/mode"),
    ("a link needs both ends", "Edit(//**)", "Write", "outside/n", "allow"),
    ("a bare rule is not enough for a link", "Write", "Write", "outside/n", "deny/mode"),
    ("reading needs both ends too", "Read(outside/**)", "Read", "outside/x", "deny/mode"),
]


@table("rule", "tool", "path", "expected", rows=ALLOW)
def test_allow_rule(rule: str, tool: str, path: str, expected: str) -> None:
    assert said(judged(tool, path, "dontAsk", allow=[rule])) == expected


DENY = [
    ("a bare rule removes its tool", "Edit", "Edit", "a.txt", "removed"),
    ("Tool(*) removes it too", "Edit(*)", "Edit", "a.txt", "removed"),
    ("and leaves the others", "Edit", "Write", "n", "allow"),
    ("a path rule denies every writer", "Edit(**)", "Write", "n", "deny"),
    ("the client names the rule for notebooks", "Edit(**)", "NotebookEdit", "n.ipynb", "deny/rule"),
    ("what is unreadable is not edited", "Read(**)", "Edit", "a.txt", "deny"),
    ("nor written", "Read(**)", "Write", "n", "deny"),
    ("but notebooks are", "Read(**)", "NotebookEdit", "n.ipynb", "allow"),
    ("without Read nothing is edited", "Read", "Edit", "a.txt", "deny"),
    ("a link's end counts", "Read(~/out/**)", "Read", "outside/x", "deny/rule"),
    ("a place on the way counts", "Read(inside/**)", "Read", "chain/x", "deny/rule"),
    ("a parameter", "Read(limit:5)", "Read", "a.txt", "allow"),
]


@table("rule", "tool", "path", "expected", rows=DENY)
def test_deny_rule(rule: str, tool: str, path: str, expected: str) -> None:
    assert said(judged(tool, path, "bypassPermissions", deny=[rule])) == expected


ASK = [
    ("a path rule", "Edit(**)", "Write", "n", "bypassPermissions", "ask/rule"),
    ("a path rule beats a safety check", "Edit(**)", "Write", ".git/n", "default", "ask/rule"),
    ("a bare rule takes the tool's own reason", "Write", "Write", "n", "bypassPermissions", "ask"),
    ("which may be the place", "Write", "Write", f"{HOME}/n", "bypassPermissions", "ask/workingDir"),
    ("or a safety check", "Write", "Write", ".git/n", "auto", "ask/safetyCheck"),
    ("or the mode", "Write", "Write", "n", "plan", "ask/mode"),
    ("and has its own where the tool has none", "Write", "Write", "n", "acceptEdits", "ask/rule"),
    ("a read has none", "Read", "Read", "a.txt", "bypassPermissions", "ask/rule"),
    ("but outside", "Read", "Read", f"{HOME}/x", "auto", "ask/workingDir"),
    ("dontAsk denies", "Read(**)", "Read", "a.txt", "dontAsk", "deny/mode"),
    ("a refusal comes first", "Edit(**)", "Write", "file", "default", "deny/other"),
]


@table("rule", "tool", "path", "mode", "expected", rows=ASK)
def test_ask_rule(rule: str, tool: str, path: str, mode: str, expected: str) -> None:
    assert said(judged(tool, path, mode, ask=[rule])) == expected


def test_a_bare_ask_rule_beside_an_allow_rule_for_the_path() -> None:
    assert said(judged("Read", f"{HOME}/x", ask=["Read"], allow=["Read(~/**)"])) == "ask/rule"
    assert said(judged("Write", f"{HOME}/x", ask=["Write"], allow=["Edit(~/**)"])) == "ask/rule"


HOOKS = [
    ("allow", "Write", "n", "default", "allow"),
    ("allow", "Write", f"{HOME}/n", "dontAsk", "allow"),
    ("allow", "Write", ".git/n", "default", "ask/safetyCheck"),
    ("allow", "Write", "n", "plan", "ask/mode"),
    ("ask", "Write", "n", "bypassPermissions", "ask/hook"),
    ("ask", "Write", ".git/n", "bypassPermissions", "allow"),
    ("ask", "Read", "a.txt", "dontAsk", "ask/hook"),
    ("deny", "Read", "a.txt", "bypassPermissions", "deny/hook"),
]


@pytest.mark.parametrize(("hook", "tool", "path", "mode", "expected"), HOOKS)
def test_hook(hook: str, tool: str, path: str, mode: str, expected: str) -> None:
    assert said(judged(tool, path, mode, hook=hook)) == expected


@pytest.mark.parametrize(
    ("tool", "path", "scope", "expected"),
    [
        ("Read", f"{HOME}/x", Scope.USER, "deny/other"),
        ("Read", f"{HOME}/more/x", Scope.USER, "allow"),
        ("Read", f"{HOME}/more/x", Scope.PROJECT, "deny/other"),
        ("Read", f"{PROJECT}/s.jsonl", Scope.USER, "allow"),
        ("Read", f"{HOME}/.claude/teams/t", Scope.USER, "deny/other"),
        ("Write", f"{HOME}/n", Scope.USER, "deny/other"),
        ("Write", f"{HOME}/.bashrc", Scope.USER, "deny/other"),
        ("Write", f"{HOME}/more/n", Scope.USER, "allow"),
        ("Write", f"{HOME}/more/n", Scope.PROJECT, "deny/other"),
        ("Write", f"{PROJECT}/memory/n.md", Scope.USER, "allow"),
    ],
)
def test_access_outside_is_blocked(tool: str, path: str, scope: Scope, expected: str) -> None:
    switches = {"blockReadsOutsideWorkingDirectories": True, "blockWritesOutsideWorkingDirectories": True}
    decision = judged(tool, path, "bypassPermissions", scope=scope, additionalDirectories=[f"{HOME}/more"], **switches)
    assert said(decision) == expected


def test_prompts_are_ruled_out() -> None:
    for mode in ("default", "plan"):
        assert said(judged("Write", "n", mode, denyInsteadOfPrompting=True)) == "deny/asyncAgent"


@pytest.mark.parametrize(
    ("directory", "path", "expected"),
    [
        (f"{HOME}/more", f"{HOME}/more/x", "allow"),
        (f"{HOME}/more", f"{HOME}/moreover", "ask/workingDir"),
        (f"{HOME}/missing", f"{HOME}/missing/x", "ask/workingDir"),
        (f"{HOME}/notes.txt", f"{HOME}/notes.txt", "ask/workingDir"),
        ("/", "/etc/passwd", "allow"),
    ],
)
def test_further_directory(directory: str, path: str, expected: str) -> None:
    assert said(judged("Read", path, additionalDirectories=[directory])) == expected
