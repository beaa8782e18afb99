"""Where the chain asks a classifier, what its verdict may lift, and what blocks again and again lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolaudit.model import Behavior, Decision, Mode, Policy, ReasonType, Scope, ToolCall
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions import decide
from toolaudit.permissions.blocks import IN_A_ROW, IN_ALL, Blocks, count
from toolaudit.settings import load_objects

ALLOW, ASK, DENY = Behavior.ALLOW, Behavior.ASK, Behavior.DENY
OLDER = Version(2, 1, 240)
WORKSPACE = DataWorkspace.describe("/srv/app", "/home/dev", {"a.py": "x"}, {"link": "/srv/app/.git"}, git=True)


def policy(settings: Mapping[str, Any] | None = None) -> Policy:
    return load_objects({Scope.USER: settings or {}}, cwd="/srv/app", home="/home/dev")


class Asked:
    """Gives one answer, and keeps count of how often it was asked."""

    def __init__(self, answer: Answer = Answer.ALLOW) -> None:
        self.times = 0
        self._answer = answer

    def __call__(self, call: ToolCall) -> Verdict:
        self.times += 1
        return Verdict(self._answer, Stage.SECOND, "production", "it looks so", "test", 0.5)


def bash(
    command: str, asked: Any, settings: Mapping[str, Any] | None = None, mode: Mode = Mode.AUTO, **more: Any
) -> Decision:
    call = ToolCall("Bash", {"command": command})
    return decide(call, policy(settings), mode, WORKSPACE, classifier=asked, **more)


def test_it_is_asked_once_and_the_decision_names_stage_and_category() -> None:
    asked = Asked(Answer.BLOCK)
    decision = bash("make deploy", asked)
    assert (decision.behavior, decision.reason_type, asked.times) == (DENY, ReasonType.CLASSIFIER, 1)
    assert decision.verdict is not None
    assert (decision.verdict.stage, decision.verdict.category) == (Stage.SECOND, "production")
    told = next(entry.note for entry in decision.trace if entry.stage == "verdict")
    assert told == "test, stage 2, production: block; it looks so"
    assert "stage 2, production" in decision.why


@pytest.mark.parametrize(
    ("command", "settings", "mode"),
    [
        ("ls", None, Mode.AUTO),
        ("make deploy", None, Mode.DEFAULT),
        ("make deploy", {"permissions": {"allow": ["Bash(make deploy)"]}}, Mode.AUTO),
        ("make deploy", {"permissions": {"deny": ["Bash(make *)"]}}, Mode.AUTO),
        ("make deploy", {"permissions": {"ask": ["Bash(make *)"]}}, Mode.AUTO),
        ("make deploy", {"useAutoModeDuringPlan": False}, Mode.PLAN),
        ("rm -rf /", None, Mode.AUTO),
    ],
    ids=["read-only", "mode default", "allow rule", "deny rule", "ask rule", "plan without auto", "critical removal"],
)
def test_where_the_chain_settles_a_call_nobody_is_asked(
    command: str, settings: Mapping[str, Any] | None, mode: Mode
) -> None:
    asked = Asked()
    decision = bash(command, asked, settings, mode)
    assert asked.times == 0
    assert decision.verdict is None


def test_ask_rules_still_prompt() -> None:
    decision = bash("make deploy", "allow", {"permissions": {"ask": ["Bash(make *)"]}})
    assert (decision.behavior, decision.stage) == (ASK, "ask")


@pytest.mark.parametrize("command", ["rm -rf /", "rm -rf ~", 'rm -rf "$X"/*', "echo $(rm -rf /)"])
@pytest.mark.parametrize("answer", ["allow", "block", "unavailable"])
def test_no_verdict_approves_a_critical_removal(command: str, answer: str) -> None:
    decision = bash(command, answer)
    assert (decision.behavior, decision.stage) == (DENY, "removal")


def test_a_protected_path_needs_a_verdict_in_spite_of_an_allow_rule() -> None:
    settings = {"permissions": {"allow": ["Edit", "Write"]}}
    call = ToolCall("Write", {"file_path": "/srv/app/.git/hooks/pre-push", "content": "x"})
    for answer, behavior in (("allow", ALLOW), ("block", DENY), ("unavailable", DENY)):
        decision = decide(call, policy(settings), Mode.AUTO, WORKSPACE, classifier=answer)  # type: ignore[arg-type]
        assert decision.behavior is behavior


def test_no_verdict_approves_a_protected_path_behind_a_link() -> None:
    call = ToolCall("Write", {"file_path": "/srv/app/link/config", "content": "x"})
    decision = decide(call, policy(), Mode.AUTO, WORKSPACE, classifier="allow")
    assert (decision.behavior, decision.classifier_approvable) == (ASK, False)


@pytest.mark.parametrize(
    "rule", ["Bash", "Bash(*)", "Bash(python3 *)", "Bash(bash -c *)", "Bash(npm run *)", "Bash(sudo *)", "Bash(npx *)"]
)
def test_rules_that_would_start_anything_are_suspended(rule: str) -> None:
    command = {"Bash": "make x", "Bash(*)": "make x"}.get(rule, rule.removeprefix("Bash(").replace("*)", "x"))
    settings = {"permissions": {"allow": [rule]}}
    assert bash(command, "block", settings).behavior is DENY
    assert bash(command, "block", settings, Mode.DEFAULT).behavior is ALLOW


def test_an_allow_rule_for_agents_is_suspended() -> None:
    call = ToolCall("Agent", {"prompt": "x", "description": "x"})
    settings = {"permissions": {"allow": ["Agent"]}}
    assert decide(call, policy(settings), Mode.AUTO, WORKSPACE, classifier="block").behavior is DENY
    assert decide(call, policy(settings), Mode.DEFAULT, WORKSPACE).behavior is ALLOW


def test_classify_all_shell_suspends_every_rule_for_the_shell() -> None:
    settings = {"permissions": {"allow": ["Bash(make test)"]}}
    assert bash("make test", "block", settings).behavior is ALLOW
    assert bash("make test", "block", {**settings, "autoMode": {"classifyAllShell": True}}).behavior is DENY


def test_a_skipped_call_goes_the_ordinary_way() -> None:
    decision = bash("make deploy", lambda call: None)
    assert decision.behavior is ASK
    assert decision.verdict is None


def test_no_verdict_denies() -> None:
    decision = bash("make deploy", Asked(Answer.UNAVAILABLE))
    assert decision.behavior is DENY
    assert "no verdict means no" in decision.why


def run(answers: str, **more: Any) -> list[Behavior]:
    """What becomes of calls one after the other: `b` blocked, `u` unavailable, `a` allowed, `r` a call without one."""
    said = {"b": Answer.BLOCK, "u": Answer.UNAVAILABLE, "a": Answer.ALLOW}
    blocks, found = Blocks(), []
    for letter in answers:
        command = "ls" if letter == "r" else "make x"
        decision = bash(command, Asked(said.get(letter, Answer.BLOCK)), blocks=blocks, **more)
        blocks = blocks.after(decision, Mode.AUTO, more.get("version", NEWEST))
        found.append(decision.behavior)
    return found


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("bbb", [DENY, DENY, ASK]),
        ("bbab", [DENY, DENY, ALLOW, DENY]),
        ("bbrbb", [DENY, DENY, ALLOW, DENY, DENY]),
        ("uuuu", [DENY] * 4),
        ("bubub", [DENY, DENY, DENY, DENY, ASK]),
        ("bbba", [DENY, DENY, ASK, ASK]),
    ],
    ids=["three in a row", "an allow ends a row", "so does a read", "no verdict", "no verdict between", "then paused"],
)
def test_a_session_with_a_person_falls_back_to_prompting(answers: str, expected: list[Behavior]) -> None:
    assert run(answers, interactive=True) == expected


def test_a_session_without_a_person_goes_on_denying() -> None:
    assert run("b" * 25) == [DENY] * 25


def test_the_older_client_prompts_without_a_person_and_counts_missing_verdicts() -> None:
    assert run("uub", version=OLDER) == [DENY, DENY, ASK]


def test_twenty_blocks_in_all_prompt_once_and_start_anew() -> None:
    found = run("bba" * 12, interactive=True)
    asked = [at for at, behavior in enumerate(found) if behavior is ASK]
    blocks = [at for at, letter in enumerate("bba" * 12) if letter == "b"]
    assert asked == [blocks[IN_ALL - 1]]


def test_what_plan_mode_allows_does_not_end_a_row() -> None:
    allowed = Decision(ALLOW, "allow", None, "")
    assert count(2, allowed, Mode.PLAN) == 2
    assert count(2, allowed, Mode.AUTO) == 0
    assert IN_A_ROW == 3
