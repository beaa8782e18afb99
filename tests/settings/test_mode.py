"""The mode a session starts in, as measured: scopes, flags and switches."""

from __future__ import annotations

from typing import Any

import pytest

from toolaudit.model import Mode, Scope
from toolaudit.settings import effective_mode, load_objects

NO_BYPASS = {"disableBypassPermissionsMode": "disable"}
NO_AUTO = {"disableAutoMode": "disable"}

MODES: list[tuple[str, dict[str, Any], str | None, str]] = [
    # name, permissions by scope, mode asked for by flag, mode in force
    ("nothing", {}, None, "default"),
    ("user", {"user": "acceptEdits"}, None, "acceptEdits"),
    ("manual is default", {"user": "manual"}, None, "default"),
    ("user auto", {"user": "auto"}, None, "auto"),
    ("user bypass", {"user": "bypassPermissions"}, None, "bypassPermissions"),
    ("flag settings bypass", {"flag": "bypassPermissions"}, None, "bypassPermissions"),
    ("managed auto", {"managed": "auto"}, None, "auto"),
    ("project dontAsk", {"project": "dontAsk"}, None, "dontAsk"),
    ("project plan", {"project": "plan"}, None, "plan"),
    ("project auto", {"project": "auto"}, None, "default"),
    ("project bypass", {"project": "bypassPermissions"}, None, "default"),
    ("local auto", {"local": "auto"}, None, "default"),
    ("local bypass", {"local": "bypassPermissions"}, None, "default"),
    ("project over user", {"user": "plan", "project": "dontAsk"}, None, "dontAsk"),
    ("local over project", {"project": "plan", "local": "dontAsk"}, None, "dontAsk"),
    ("flag settings over local", {"local": "plan", "flag": "dontAsk"}, None, "dontAsk"),
    ("managed over flag settings", {"flag": "plan", "managed": "dontAsk"}, None, "dontAsk"),
    ("project bypass hides user", {"user": "acceptEdits", "project": "bypassPermissions"}, None, "default"),
    ("local bypass hides project", {"project": "acceptEdits", "local": "bypassPermissions"}, None, "default"),
    ("project bypass under flag", {"project": "bypassPermissions", "flag": "acceptEdits"}, None, "acceptEdits"),
    ("both bypass", {"user": "bypassPermissions", "project": "bypassPermissions"}, None, "bypassPermissions"),
    ("both auto", {"user": "auto", "project": "auto"}, None, "auto"),
    ("bypass and auto", {"user": "bypassPermissions", "project": "auto"}, None, "default"),
    ("auto and bypass", {"user": "auto", "project": "bypassPermissions"}, None, "default"),
    ("flag over user", {"user": "plan"}, "acceptEdits", "acceptEdits"),
    ("flag over managed", {"managed": "plan"}, "bypassPermissions", "bypassPermissions"),
    ("flag default over user", {"user": "plan"}, "default", "default"),
    ("no bypass", {"user": {"defaultMode": "bypassPermissions", **NO_BYPASS}}, None, "default"),
    ("no bypass by project", {"user": "bypassPermissions", "project": NO_BYPASS}, None, "default"),
    ("no bypass, asked", {"project": NO_BYPASS}, "bypassPermissions", "default"),
    (
        "no bypass, asked over",
        {"user": {"defaultMode": "acceptEdits", **NO_BYPASS}},
        "bypassPermissions",
        "acceptEdits",
    ),
    ("no bypass, asked over auto", {"user": {"defaultMode": "auto", **NO_BYPASS}}, "bypassPermissions", "auto"),
    ("no bypass, other asked", {"user": {"defaultMode": "bypassPermissions", **NO_BYPASS}}, "plan", "plan"),
    (
        "no bypass hides a lower mode",
        {"flag": {"defaultMode": "bypassPermissions", **NO_BYPASS}, "user": "acceptEdits"},
        None,
        "default",
    ),
    ("no auto", {"user": {"defaultMode": "auto", **NO_AUTO}}, None, "default"),
    ("no auto by project", {"user": "auto", "project": NO_AUTO}, None, "default"),
    ("no auto, asked", {"local": NO_AUTO}, "auto", "default"),
    ("no auto, asked over", {"user": {"defaultMode": "acceptEdits", **NO_AUTO}}, "auto", "default"),
    ("neither", {"user": {"defaultMode": "auto", **NO_AUTO, **NO_BYPASS}}, "bypassPermissions", "default"),
]


@pytest.mark.parametrize(("scopes", "flag", "expected"), [row[1:] for row in MODES], ids=[row[0] for row in MODES])
@pytest.mark.parametrize("trusted", [True, False], ids=["trusted", "untrusted"])
def test_mode(scopes: dict[str, Any], flag: str | None, expected: str, trusted: bool) -> None:
    settings = {
        Scope(scope): {"permissions": {"defaultMode": value} if isinstance(value, str) else value}
        for scope, value in scopes.items()
    }
    policy = load_objects(settings, cwd="/w", home="/h", trusted=trusted)
    mode, why = effective_mode(policy, None if flag is None else Mode.parse(flag))
    assert mode == expected
    assert why


def test_the_reason_names_the_place() -> None:
    policy = load_objects({Scope.USER: '{"permissions":\n {"defaultMode": "plan"}}'}, cwd="/w", home="/h")
    assert effective_mode(policy) == (Mode.PLAN, "defaultMode in <user settings>:2:3")


@pytest.mark.parametrize("key", ["disableBypassPermissionsMode", "defaultMode"])
def test_a_switch_at_the_wrong_level_counts_for_nothing(key: str) -> None:
    policy = load_objects({Scope.USER: {key: "disable"}}, cwd="/w", home="/h")
    assert effective_mode(policy, Mode.BYPASS)[0] is Mode.BYPASS
    assert [finding.id for finding in policy.findings] == ["unknown-key"]


def test_auto_is_disabled_at_either_level() -> None:
    for settings in ({"disableAutoMode": "disable"}, {"permissions": {"disableAutoMode": "disable"}}):
        policy = load_objects({Scope.PROJECT: settings}, cwd="/w", home="/h")
        assert (policy.auto_disabled, policy.auto_during_plan) == (True, False)
