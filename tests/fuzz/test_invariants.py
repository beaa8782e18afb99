"""The laws of the resolver: they hold in the policies of corpora/, and a resolver that breaks one is found out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from toolaudit.fuzz import invariants, rewrites
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.discovery import Discovery, Question
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Decision, Mode, Policy, Scope
from toolaudit.model.workspace import DataWorkspace
from toolaudit.settings import load, load_objects
from toolaudit.structs import replace

CWD, HOME = "/work/project", "/home/user"
POLICIES = Path(__file__).parents[2] / "corpora" / "policies"
WORKSPACE = DataWorkspace.describe(CWD, HOME, git=True)
EXAMPLES = 200

SETTINGS = sorted([*POLICIES.glob("*.json"), *POLICIES.glob("*/.claude/settings.json")])


def broken(trial: Trial) -> list[Discovery]:
    return list(invariants.search(trial, EXAMPLES, Dice(1)))[-1]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda path: str(path.relative_to(POLICIES)))
@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.BYPASS, Mode.DONT_ASK])
def test_laws_hold(settings: Path, mode: Mode) -> None:
    assert broken(Trial(load(project=settings, cwd=CWD, home=HOME), mode, WORKSPACE, None)) == []


class Biased(Trial):
    """A resolver with a fault: `bias` says what it makes of a right decision."""

    bias: Callable[[str, Policy, Behavior], Behavior]

    def decide(self, command: str, policy: Policy | None = None, mode: Mode | None = None) -> Decision:
        decision = super().decide(command, policy, mode)
        return replace(decision, behavior=self.bias(command, policy or self.policy, decision.behavior))


def added(policy: Policy, behavior: Behavior) -> bool:
    return any(rule.source.scope is Scope.CLI and rule.behavior is behavior for rule in policy.rules)


CALLS = count()

FAULTS: dict[str, Callable[[str, Policy, Behavior], Behavior]] = {
    "more deny is no milder": lambda command, policy, behavior: (
        Behavior.ALLOW if added(policy, Behavior.DENY) else behavior
    ),
    "more allow is no stricter": lambda command, policy, behavior: (
        Behavior.DENY if added(policy, Behavior.ALLOW) else behavior
    ),
    "order is nothing": lambda command, policy, behavior: policy.rules[0].behavior if policy.rules else behavior,
    "the same again": lambda command, policy, behavior: Behavior.ASK if next(CALLS) % 2 else Behavior.DENY,
    "a harmless change is no milder": lambda command, policy, behavior: (
        Behavior.ALLOW if "/dev/null" in command else behavior
    ),
}


@pytest.mark.parametrize("law", FAULTS)
def test_a_broken_law_is_found(law: str) -> None:
    lists = {"allow": ["Bash(ls *)"], "ask": ["Bash(git *)"], "deny": ["Bash(rm *)"]}
    policy = load_objects({Scope.USER: {"permissions": lists}}, cwd=CWD, home=HOME)
    trial = Biased(policy, Mode.DEFAULT, WORKSPACE, None)
    trial.bias = FAULTS[law]
    found = [discovery for discovery in broken(trial) if discovery.note.startswith(law)]
    assert found
    assert found[0].question is Question.INVARIANT


@pytest.mark.parametrize(
    "name", ["leading-blank", "double-blanks", "output-to-null", "errors-to-null", "timeout", "nice"]
)
def test_each_harmless_change_is_tried(name: str) -> None:
    assert name in invariants.HARMLESS
    assert name in rewrites.ALL
