"""Changes that come with the answer to a prompt: rules, directories and mode, for the rest of the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolaudit.model import Behavior, Mode, Scope
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.pipeline.permission_updates import update
from toolaudit.settings import load_objects
from toolaudit.structs import replace
from toolaudit.tools.context import PermissionContext

LIST = {"permissions": {"allow": ["Read"], "deny": ["Bash(rm *)"], "additionalDirectories": ["/srv/more"]}}


@pytest.fixture
def before() -> PermissionContext:
    """A policy with the same list in three places."""
    scopes = {Scope.USER: LIST, Scope.LOCAL: LIST, Scope.MANAGED: LIST}
    policy = load_objects(scopes, cwd="/srv/app", home="/home/dana")
    return PermissionContext(policy, Mode.DEFAULT, replace(UnknownWorkspace(), cwd="/srv/app", home="/home/dana"))


def rules(permissions: PermissionContext, behavior: Behavior) -> list[str]:
    return [f"{rule.source.file or rule.source.scope}: {rule.text}" for rule in permissions.policy.rules_for(behavior)]


def one(kind: str, destination: str = "session", **given: Any) -> Mapping[str, Any]:
    return {"type": kind, "destination": destination, **given}


BASH = {"toolName": "Bash", "ruleContent": "make *"}
READ = {"toolName": "Read"}


def test_rules_are_added_before_all_others(before: PermissionContext) -> None:
    after = update(before, [one("addRules", behavior="allow", rules=[BASH, READ])])
    own = ["session: Bash(make *)", "session: Read"]
    assert rules(after, Behavior.ALLOW) == [*own, *rules(before, Behavior.ALLOW)]
    assert rules(after, Behavior.DENY) == rules(before, Behavior.DENY)


def test_rules_of_one_destination_and_behavior_are_replaced(before: PermissionContext) -> None:
    after = update(before, [one("replaceRules", "userSettings", behavior="allow", rules=[BASH])])
    assert rules(after, Behavior.ALLOW) == ["user: Bash(make *)", "managed: Read", "local: Read"]
    assert rules(after, Behavior.DENY) == rules(before, Behavior.DENY)


def test_the_session_s_rules_are_not_the_command_line_s(before: PermissionContext) -> None:
    added = update(before, [one("addRules", d, behavior="ask", rules=[BASH]) for d in ("session", "cliArg")])
    after = update(added, [one("replaceRules", behavior="ask", rules=[READ])])
    assert rules(after, Behavior.ASK) == ["session: Read", "cli: Bash(make *)"]


def test_rules_are_removed_by_their_text(before: PermissionContext) -> None:
    after = update(before, [one("removeRules", "localSettings", behavior="allow", rules=[READ, BASH])])
    assert rules(after, Behavior.ALLOW) == ["managed: Read", "user: Read"]


def test_directories_come_and_go(before: PermissionContext) -> None:
    after = update(before, [one("addDirectories", directories=["lib", "~/x", "/srv/more", "/a/../b"])])
    assert [found.path for found in after.policy.directories][-3:] == ["/srv/app/lib", "/home/dana/x", "/b"]
    gone = update(after, [one("removeDirectories", directories=["/srv/more", "lib"])])
    assert [found.path for found in gone.policy.directories] == ["/home/dana/x", "/b"]


def test_a_mode_holds_from_then_on(before: PermissionContext) -> None:
    assert update(before, [one("setMode", mode="acceptEdits")]).mode is Mode.ACCEPT_EDITS


NONSENSE = [
    {},
    one("unheard-of"),
    one("setMode", mode="bypassPermissions"),
    one("setMode", mode="unheard-of"),
    one("setMode"),
    one("addRules", "policySettings", behavior="allow", rules=[BASH]),
    one("removeRules", "managed", behavior="deny", rules=[BASH]),
    one("addRules", behavior="maybe", rules=[BASH]),
    one("addRules", behavior="allow", rules="Bash"),
    one("addRules", behavior="allow", rules=[BASH, "Bash"]),
    one("replaceRules", "userSettings", behavior="deny", rules=[{"toolName": 5}]),
    one("addDirectories", directories=[5]),
    one("addDirectories", directories="/"),
]


@pytest.mark.parametrize("given", NONSENSE, ids=str)
def test_what_can_t_be_understood_changes_nothing(before: PermissionContext, given: Mapping[str, Any]) -> None:
    assert update(before, [given]) == before
