from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from test_compare import CALL

from toolaudit.model import Behavior, Mode, Policy, Scope, ToolCall
from toolaudit.replay import Decider, Record, Settings
from toolaudit.settings import load_objects
from toolaudit.transcripts import RecordedCall
from toolaudit.transcripts import RecordedOutcome as Out


def settings(value: dict[str, Any] | None = None, **fields: Any) -> Settings:
    def load(root: str, home: str) -> Policy:
        return load_objects({Scope.PROJECT: value or {}}, cwd=root, home=home)

    return Settings(load, **fields)


def recorded(tool: str, root: str = "/srv/app", cwd: str | None = None, **given: Any) -> RecordedCall:
    return replace(CALL, call=ToolCall(tool, given), root=root, cwd=cwd or root)


def behavior(record: Record) -> Behavior:
    return record.decision.behavior


@pytest.mark.parametrize(
    ("fields", "call_mode", "mode", "is_recorded"),
    [
        pytest.param({}, Mode.PLAN, Mode.ACCEPT_EDITS, False, id="the policy's own"),
        pytest.param({"mode": Mode.DONT_ASK}, Mode.PLAN, Mode.DONT_ASK, False, id="asked for"),
        pytest.param({"recorded_modes": True}, Mode.PLAN, Mode.PLAN, True, id="recorded"),
        pytest.param({"recorded_modes": True}, None, Mode.ACCEPT_EDITS, False, id="recorded, but unknown"),
    ],
)
def test_the_mode(fields: dict[str, Any], call_mode: Mode | None, mode: Mode, is_recorded: bool) -> None:
    decider = Decider(settings({"permissions": {"defaultMode": "acceptEdits"}}, **fields))
    record = decider.record(replace(CALL, mode=call_mode))
    assert (record.mode, record.mode_recorded) == (mode, is_recorded)


def test_project_rules_hold_in_each_sessions_own_project() -> None:
    decider = Decider(settings({"permissions": {"deny": ["Edit(/migrations/**)"]}}, mode=Mode.ACCEPT_EDITS))
    edit = {"old_string": "a", "new_string": "b"}
    for root in ("/srv/app", "/home/dana/shop"):
        inside = recorded("Edit", root, file_path=f"{root}/migrations/1.sql", **edit)
        beside = recorded("Edit", root, file_path=f"{root}/src/migrations/1.sql", **edit)
        assert behavior(decider.record(inside)) is Behavior.DENY
        assert behavior(decider.record(beside)) is Behavior.ALLOW


def test_the_project_stays_open_when_the_shell_moves_on() -> None:
    decider = Decider(settings(mode=Mode.ACCEPT_EDITS))
    write = {"file_path": "/srv/app/src/a.ts", "content": ""}
    assert behavior(decider.record(recorded("Write", cwd="/srv/app/web", **write))) is Behavior.ALLOW
    assert behavior(decider.record(recorded("Write", root="/srv/other", **write))) is Behavior.ASK


def test_tilde_is_the_home_the_project_lies_in() -> None:
    decider = Decider(settings({"permissions": {"deny": ["Read(~/.ssh/**)"]}}))
    for home in ("/home/dana", "/Users/lee"):
        call = recorded("Read", f"{home}/work", file_path=f"{home}/.ssh/id_rsa")
        assert behavior(decider.record(call)) is Behavior.DENY


def test_windows_paths_are_held_against_the_rules_in_posix_form() -> None:
    decider = Decider(settings({"permissions": {"deny": ["Read(/secrets/**)"]}}))
    call = recorded("Read", "D:\\shop", file_path="D:\\shop\\secrets\\key.txt")
    assert behavior(decider.record(call)) is Behavior.DENY


HOOK = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "false"}]}]}


@pytest.mark.parametrize(
    ("hooks", "tool", "outcome", "stage"),
    [
        pytest.param(HOOK, "Bash", Out.HOOK_DENIED, "hook", id="the policy has the hook: its recorded denial counts"),
        pytest.param({}, "Bash", Out.HOOK_DENIED, "allow", id="no hook in the policy"),
        pytest.param(HOOK, "Bash", Out.EXECUTED, "allow", id="nothing recorded"),
    ],
)
def test_recorded_hook_denials(hooks: dict[str, Any], tool: str, outcome: Out, stage: str) -> None:
    decider = Decider(settings({"hooks": hooks, "permissions": {"allow": ["Bash(make)"]}}))
    record = decider.record(replace(recorded(tool, command="make"), outcome=outcome))
    assert record.decision.stage == stage


def test_equal_calls_are_decided_once_and_only_equal_ones() -> None:
    decider = Decider(settings({"permissions": {"allow": ["Bash(make)"]}}, recorded_modes=True))
    first = decider.record(recorded("Bash", command="make", description="Build"))
    again = decider.record(recorded("Bash", command="make", description="Build again"))
    assert again.decision is first.decision
    for other in (
        recorded("Bash", command="make test"),
        recorded("Bash", command="make", run_in_background=True),
        recorded("Bash", root="/srv/other", command="make"),
        recorded("Bash", cwd="/srv/app/web", command="make"),
        replace(recorded("Bash", command="make"), mode=Mode.DONT_ASK),
        recorded("PowerShell", command="make"),
    ):
        assert decider.record(other).decision is not first.decision


def test_where_a_rule_reads_descriptions_they_tell_calls_apart() -> None:
    decider = Decider(settings({"permissions": {"deny": ["Bash(description:deploy*)"], "allow": ["Bash(make)"]}}))
    first = decider.record(recorded("Bash", command="make", description="build"))
    assert decider.record(recorded("Bash", command="make", description="deploy it")).decision is not first.decision


def test_what_a_command_would_start_can_be_unreadable() -> None:
    decider = Decider(settings())
    assert decider.record(recorded("Bash", command='eval "$X"')).complexity is not None
    assert decider.record(recorded("Bash", command="ls -l")).complexity is None
    assert decider.record(recorded("Read", file_path="/srv/app/a")).complexity is None


def test_the_memory_of_decisions_is_bounded_by_their_size() -> None:
    decider = Decider(settings())
    small = recorded("Bash", command="make")
    first = decider.record(small)
    decider.record(recorded("Write", file_path="/srv/app/a", content="x" * (5 << 20)))
    assert decider.record(small).decision is first.decision
    decider.record(recorded("Write", file_path="/srv/app/a", content="y" * (5 << 20)))
    assert decider.record(small).decision is not first.decision
