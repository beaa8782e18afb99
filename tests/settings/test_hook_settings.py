"""Hooks in settings: what is registered, in which scope, and what a malformed one costs. All as measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolaudit.model import Hook, Policy, Scope
from toolaudit.settings import SettingsError, load_objects

COMMAND = {"type": "command", "command": "exit 2"}
GROUP = {"matcher": "Bash", "hooks": [COMMAND]}


def policy(trusted: bool = True, **scopes: Any) -> Policy:
    return load_objects({Scope(name): value for name, value in scopes.items()}, cwd="/w", home="/h", trusted=trusted)


def configured(*groups: Any, event: str = "PreToolUse", **keys: Any) -> dict[str, Any]:
    return {"hooks": {event: list(groups)}, **keys}


def test_a_hook_knows_what_it_does_and_where_it_stands() -> None:
    groups = [{"matcher": "Edit|Write", "hooks": [{**COMMAND, "if": "Bash(git *)", "timeout": 5}]}]
    (hook,) = policy(project=json.dumps(configured(*groups), indent=1)).hooks
    assert (hook.event, hook.matcher, hook.condition, hook.command) == (
        "PreToolUse",
        "Edit|Write",
        "Bash(git *)",
        "exit 2",
    )
    assert (hook.type, str(hook.source)) == ("command", "<project settings>:7:6")


TYPES = [
    (COMMAND, "exit 2"),
    ({"type": "prompt", "prompt": "is it safe?"}, "is it safe?"),
    ({"type": "agent", "prompt": "look"}, "look"),
    ({"type": "http", "url": "https://x.example/"}, "https://x.example/"),
    ({"type": "mcp_tool", "server": "s", "tool": "t"}, "t"),
]


@pytest.mark.parametrize(("hook", "action"), TYPES, ids=[row[0]["type"] for row in TYPES])
def test_every_type_of_hook(hook: dict[str, Any], action: str) -> None:
    (found,) = policy(user=configured({"hooks": [hook]})).hooks
    assert (found.type, found.command, found.matcher, found.condition) == (hook["type"], action, "", None)


COSTS_THE_FILE = [
    # the value of an event whose hooks decide, message
    ("x", 'expected a list for hooks.PreToolUse, got the string "x"'),
    (GROUP, "expected a list for hooks.PreToolUse, got an object"),
    (["x"], 'expected an object for hooks.PreToolUse.0, got the string "x"'),
    ([{"matcher": "Bash", "command": "x"}], "expected the key hooks in hooks.PreToolUse.0, got none"),
    ([{"matcher": None, "hooks": [COMMAND]}], "expected a string for hooks.PreToolUse.0.matcher, got null"),
    ([{"matcher": 5, "hooks": [COMMAND]}], "expected a string for hooks.PreToolUse.0.matcher, got a number"),
    ([{"hooks": COMMAND}], "expected a list for hooks.PreToolUse.0.hooks, got an object"),
    ([{"hooks": [{"command": "x"}]}], "expected the key type in hooks.PreToolUse.0.hooks.0, got none"),
    ([{"hooks": [{"type": "command"}]}], "expected the key command in hooks.PreToolUse.0.hooks.0, got none"),
    ([{"hooks": [{"type": "prompt"}]}], "expected the key prompt in hooks.PreToolUse.0.hooks.0, got none"),
    ([{"hooks": [{"type": "http"}]}], "expected the key url in hooks.PreToolUse.0.hooks.0, got none"),
    (
        [{"hooks": [{"type": "mcp_tool", "server": "s"}]}],
        "expected the key tool in hooks.PreToolUse.0.hooks.0, got none",
    ),
    ([{"hooks": [{"type": "command", "command": 5}]}], None),
    ([{"hooks": [{"type": "foo"}]}], None),
    ([{"hooks": [{"type": "callback", "command": "x"}]}], None),
    ([{"hooks": [{**COMMAND, "timeout": "5"}]}], None),
    ([{"hooks": [{**COMMAND, "timeout": -5}]}], None),
    (
        [{"hooks": [{**COMMAND, "timeout": 0}]}],
        "expected a number above 0 for hooks.PreToolUse.0.hooks.0.timeout, got a number",
    ),
    ([{"hooks": [{**COMMAND, "if": 5}]}], None),
    ([{"hooks": [{**COMMAND, "if": None}]}], None),
    ([{"hooks": [{**COMMAND, "async": "x"}]}], None),
    ([{"hooks": [{**COMMAND, "shell": "x"}]}], None),
    ([{"hooks": [{**COMMAND, "args": [1]}]}], None),
    ([{"hooks": [{"type": "http", "url": "https://x.example/", "headers": []}]}], None),
    ([GROUP, {"matcher": "Bash", "command": "x"}], "expected the key hooks in hooks.PreToolUse.1, got none"),
    ([{"hooks": [{"type": "foo"}, COMMAND]}], None),
]


@pytest.mark.parametrize(("value", "message"), COSTS_THE_FILE, ids=[json.dumps(row[0]) for row in COSTS_THE_FILE])
def test_a_bad_hook_that_decides_costs_the_file(value: Any, message: str | None) -> None:
    with pytest.raises(SettingsError) as caught:
        policy(user=json.dumps({"hooks": {"PreToolUse": value}}))
    assert message in (None, caught.value.message)
    assert caught.value.column > 1
    with pytest.raises(SettingsError):
        policy(user={"hooks": {"PermissionRequest": value}})


@pytest.mark.parametrize(("value", "message"), COSTS_THE_FILE, ids=[json.dumps(row[0]) for row in COSTS_THE_FILE])
def test_a_bad_hook_of_another_event_is_left_out(value: Any, message: str | None) -> None:
    found = policy(user={"hooks": {"Stop": value, "PreToolUse": [GROUP]}})
    assert [hook.event for hook in found.hooks if hook.event != "Stop"] == ["PreToolUse"]
    assert [(finding.id, finding.help) for finding in found.findings] == [("hook-ignored", "the client leaves it out")]


LEFT_OUT = [
    ({"hooks": []}, "expected an object for hooks, got a list"),
    ({"hooks": "x"}, 'expected an object for hooks, got the string "x"'),
    ({"hooks": {"PreCommit": "x"}}, 'unknown hook event "PreCommit"'),
    ({"hooks": {"PreCommit": [{"command": "x"}]}}, 'unknown hook event "PreCommit"'),
]


@pytest.mark.parametrize(("settings", "message"), LEFT_OUT, ids=[json.dumps(row[0]) for row in LEFT_OUT])
def test_what_registers_no_hook(settings: dict[str, Any], message: str) -> None:
    found = policy(user=settings)
    assert found.hooks == ()
    assert [finding.message for finding in found.findings] == [message]


PASSED_OVER = [None, {}, {"PreToolUse": None}, {"PreToolUse": []}, {"PreToolUse": [{"hooks": []}]}]


@pytest.mark.parametrize("hooks", PASSED_OVER, ids=json.dumps)
def test_what_is_no_hook_at_all(hooks: Any) -> None:
    found = policy(user={"hooks": hooks})
    assert (found.hooks, found.findings) == ((), ())


def events(found: Policy) -> list[Scope]:
    return [hook.source.scope for hook in found.hooks]


ALL = {scope.value: configured(GROUP) for scope in Scope if scope is not Scope.CLI}


@pytest.mark.parametrize("trusted", [True, False])
def test_hooks_of_every_scope_run(trusted: bool) -> None:
    assert events(policy(trusted=trusted, **ALL)) == [scope for scope in Scope if scope is not Scope.CLI]


def test_managed_hooks_only() -> None:
    managed = configured(GROUP, allowManagedHooksOnly=True)
    assert events(policy(**{**ALL, "managed": managed})) == [Scope.MANAGED]


@pytest.mark.parametrize("scope", ["user", "project", "local", "flag"])
def test_managed_hooks_only_counts_in_managed_settings_alone(scope: str) -> None:
    settings = configured(GROUP, allowManagedHooksOnly=True)
    assert len(events(policy(**{**ALL, scope: settings}))) == 5


@pytest.mark.parametrize("scope", ["user", "project", "local", "flag"])
def test_no_lower_scope_disables_managed_hooks(scope: str) -> None:
    settings = configured(GROUP, disableAllHooks=True)
    assert events(policy(**{**ALL, scope: settings})) == [Scope.MANAGED]


def test_managed_settings_disable_every_hook() -> None:
    assert events(policy(**{**ALL, "managed": configured(GROUP, disableAllHooks=True)})) == []


def test_the_highest_word_on_disabling_counts() -> None:
    user = configured(GROUP, disableAllHooks=True)
    assert events(policy(user=user, project={"disableAllHooks": False})) == [Scope.USER]
    assert events(policy(user=user, managed={"disableAllHooks": False})) == [Scope.USER]
    assert events(policy(user=configured(GROUP, disableAllHooks=False), project={"disableAllHooks": True})) == []


def test_a_hook_is_data() -> None:
    (hook,) = policy(user=configured(GROUP)).hooks
    assert isinstance(hook, Hook)
    assert hook == Hook("PreToolUse", "Bash", None, "exit 2", hook.source)
