"""Searches through policies: what is found, that it is true, and that nothing is found where there is nothing."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from toolaudit.fuzz.campaign import Campaign
from toolaudit.fuzz.discovery import Discovery, Question
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.regressions import Regression, read, save
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Mode, Policy, Scope, Severity
from toolaudit.model.workspace import DataWorkspace
from toolaudit.reporting.fuzz import search
from toolaudit.settings import load, load_objects

CWD, HOME = "/work/project", "/home/user"
CORPORA = Path(__file__).parents[2] / "corpora"
EXAMPLES = 40


def trial(policy: Policy, oracle: Oracle | None, mode: Mode = Mode.DEFAULT) -> Trial:
    return Trial(policy, mode, DataWorkspace.describe(CWD, HOME, git=True), oracle)


def rules(**lists: list[str]) -> Policy:
    return load_objects({Scope.USER: {"permissions": lists}}, cwd=CWD, home=HOME)


def searched(policy: Policy, oracle: Oracle | None, seed: int = 1) -> tuple[Campaign, list[Discovery]]:
    campaign = Campaign(trial(policy, oracle), seed)
    for _ in campaign.run(EXAMPLES):
        pass
    return campaign, campaign.discoveries()


def ways(found: list[Discovery], question: Question, severity: Severity, rule: str) -> dict[str, str]:
    return next(
        (
            dict(discovery.alone)
            for discovery in found
            if discovery.question is question and discovery.severity is severity and str(discovery.rule) == rule
        ),
        {},
    )


@pytest.fixture(scope="module")
def habits(oracle: Oracle) -> tuple[Campaign, list[Discovery]]:
    """What is found, unaided, in a policy with the holes that people really leave."""
    return searched(load(project=CORPORA / "policies" / "habits.json", cwd=CWD, home=HOME), oracle)


@pytest.fixture(scope="module")
def leaky(habits: tuple[Campaign, list[Discovery]]) -> list[Discovery]:
    return habits[1]


def test_git_options_lead_past_a_denied_subcommand(
    habits: tuple[Campaign, list[Discovery]], leaky: list[Discovery]
) -> None:
    found = ways(leaky, Question.EVASION, Severity.ERROR, "deny Bash(git push *)")
    assert found["global-option"].startswith("git -")
    assert found["git-alias"].startswith("git -c 'alias.x=!git push")
    evasions = next(item for item in habits[0].evasions if str(item.rule) == "deny Bash(git push *)")
    assert any(re.match(r"git -C \S+ push", command.text) for command in evasions.past[Severity.ERROR])


def test_find_exec_runs_what_is_denied_after_a_prompt_only(leaky: list[Discovery]) -> None:
    """A rule with a star does not cover `find -exec` (documents, 2.3.6), so what stands in its way is the prompt."""
    found = ways(leaky, Question.EVASION, Severity.WARNING, "deny Bash(rm *)")
    assert found["find-exec"].startswith("find . -maxdepth 0 -exec rm")
    assert ways(leaky, Question.SMUGGLING, Severity.ERROR, "allow Bash(find *)") == {}


def test_a_denied_file_is_denied_by_any_path(habits: tuple[Campaign, list[Discovery]]) -> None:
    assert habits[0].trial.decide("cat ./a/../.env").behavior is Behavior.DENY


@pytest.mark.parametrize("name", ["sh-c", "eval", "xargs-replace", "python-system", "unset-variable"])
def test_only_a_prompt_stands_behind_a_denied_program(leaky: list[Discovery], name: str) -> None:
    assert name in ways(leaky, Question.EVASION, Severity.WARNING, "deny Bash(rm *)")


def test_an_ask_rule_is_walked_around(leaky: list[Discovery]) -> None:
    assert "docker-compose-run" in ways(leaky, Question.EVASION, Severity.ERROR, "ask Bash(npm publish *)")
    assert "sh-c" in ways(leaky, Question.EVASION, Severity.NOTE, "ask Bash(npm publish *)")


def test_a_denied_file_is_read_by_an_interpreter(leaky: list[Discovery]) -> None:
    assert "node-exec" in ways(leaky, Question.EVASION, Severity.ERROR, "deny Read(./.env)")


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("allow Bash(node *)", "node-exec"),
        ("allow Bash(docker compose *)", "docker-compose-run"),
        ("allow Bash(git *)", "git-alias"),
    ],
)
def test_programs_are_smuggled_through_broad_grants(leaky: list[Discovery], rule: str, name: str) -> None:
    assert name in ways(leaky, Question.SMUGGLING, Severity.ERROR, rule)


def test_each_discovery_is_true(leaky: list[Discovery], oracle: Oracle) -> None:
    for discovery in leaky:
        assert discovery.behavior is not Behavior.DENY
        assert discovery.decided_by
        if discovery.severity is Severity.ERROR:
            assert discovery.behavior is Behavior.ALLOW


@pytest.mark.parametrize("policy", ["deny-everything.json"])
def test_nothing_is_found_where_nothing_is_left(oracle: Oracle, policy: str) -> None:
    loaded = load(project=CORPORA / "policies" / policy, cwd=CWD, home=HOME)
    assert searched(loaded, oracle)[1] == []


def test_nothing_is_smuggled_where_everything_is_granted(oracle: Oracle) -> None:
    assert searched(rules(allow=["Bash"]), oracle)[1] == []


def test_the_seed_decides(oracle: Oracle) -> None:
    policy = rules(allow=["Bash(ls *)"], deny=["Bash(rm *)"])
    assert searched(policy, oracle, seed=5)[1] == searched(policy, oracle, seed=5)[1]


def test_without_bash_the_search_still_works(oracle: Oracle) -> None:
    policy = rules(allow=["Bash(node *)"], deny=["Bash(rm *)"])
    campaign, found = searched(policy, None)
    assert "node-exec" in ways(found, Question.SMUGGLING, Severity.ERROR, "allow Bash(node *)")
    about = search.Circumstances("p", Mode.DEFAULT, 1, EXAMPLES, 1, None, "no C compiler; install one")
    stream = io.StringIO()
    search.write(campaign, found, about, stream)
    assert "not checked against bash: no C compiler; install one" in stream.getvalue()


def test_rules_that_decide_nothing_are_named(oracle: Oracle) -> None:
    campaign, _ = searched(rules(deny=["Bash(rm *)"], ask=["Bash(rm -r *)", "Bash(npm *)"]), oracle)
    assert [str(rule) for rule in campaign.unsearched()] == ["ask Bash(rm -r *)"]


def test_blind_spots_are_counted_by_reason(oracle: Oracle) -> None:
    campaign, _ = searched(rules(allow=["Bash(ls *)"]), oracle)
    blind = campaign.blind_spots
    assert set(blind.examples) == set(blind.outcomes)
    assert blind.read + sum(outcomes.total() for outcomes in blind.outcomes.values()) == EXAMPLES // 4


def test_reports_say_the_same(oracle: Oracle, leaky: list[Discovery]) -> None:
    policy = rules(deny=["Bash(rm *)"])
    campaign, found = searched(policy, oracle)
    about = search.Circumstances("p", Mode.DEFAULT, 1, EXAMPLES, 7, "5.2")
    text, machine = io.StringIO(), io.StringIO()
    search.write(campaign, found, about, text)
    search.write_json(campaign, found, about, machine)
    records = json.loads(machine.getvalue())["discoveries"]
    assert len(records) == len(found)
    assert "checked against bash 5.2" in text.getvalue()
    assert all(line.isprintable() for line in text.getvalue().splitlines())


def test_reports_tell_of_gaps_of_the_client(leaky: list[Discovery]) -> None:
    """What the decision tells of the command found stands in both reports."""
    policy = rules(allow=["Bash"], deny=["Bash(rm *)"])
    told = trial(policy, None).decide("coproc rm x").findings
    assert [one.id for one in told] == ["client-gap"]
    found = [replace(leaky[0], findings=told)]
    about = search.Circumstances("p", Mode.DEFAULT, 1, EXAMPLES, 7, "5.2")
    text, machine = io.StringIO(), io.StringIO()
    campaign = Campaign(trial(policy, None), 1)
    search.write(campaign, found, about, text)
    search.write_json(campaign, found, about, machine)
    assert f"client-gap    {told[0].message}: rm x" in text.getvalue()
    (record,) = json.loads(machine.getvalue())["discoveries"]
    assert record["findings"] == [{"id": "client-gap", "message": told[0].message, "witness": "rm x"}]


def test_saved_rows_come_back(oracle: Oracle, leaky: list[Discovery], tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    added = save(leaky, file, tmp_path / "policy.json", Mode.DEFAULT)
    assert added == len(read(file)) == len({discovery.command for discovery in leaky})
    assert save(leaky, file, tmp_path / "policy.json", Mode.DEFAULT) == 0
    assert {row.policy for row in read(file)} == {"policy.json"}


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"question": "evasion"}', "nonsense"])
def test_damaged_rows_are_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(ValueError, match=r"rows.jsonl:1: expected a saved discovery"):
        read(file)


SAVED = CORPORA / "evasions.jsonl"


@pytest.mark.parametrize("row", read(SAVED), ids=lambda row: f"{row.policy}: {row.command[:50]}")
def test_saved_discoveries_hold(oracle: Oracle, row: Regression) -> None:
    """What was found in the policies of corpora/ is still so; a row that no longer holds tells of a change."""
    settings = SAVED.parent / row.policy
    project = settings / ".claude" / "settings.json" if settings.is_dir() else settings
    local = settings / ".claude" / "settings.local.json"
    policy = load(project=project, local=local if local.exists() else None, cwd=CWD, home=HOME)
    assert row.holds(trial(policy, oracle))
