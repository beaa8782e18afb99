"""Mutants, what tests notice of them, proofs that they make no difference, and the tests that are written for rules."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolaudit.analysis.canonical import candidates
from toolaudit.analysis.equivalence import directories, proof
from toolaudit.analysis.generation import canonical_cases
from toolaudit.analysis.mutants import START_MODES, Operator, mutants, narrowed, widened
from toolaudit.analysis.mutation import Fate, Score, Trial, mutate
from toolaudit.cli import main
from toolaudit.model import Behavior, Policy, Scope, Source, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.pipeline import decide
from toolaudit.rules import grammar
from toolaudit.settings import load_objects
from toolaudit.testing.case import Case, Expected
from toolaudit.testing.find import find
from toolaudit.testing.load import CWD, HOME, load_policy, load_suite
from toolaudit.testing.run import run

CORPORA = Path(__file__).parents[2] / "corpora"
HERE = DataWorkspace.describe(CWD, HOME, git=True)
POLICIES = ("repository", "policies/team", "policies/cautious")


def policy_of(name: str) -> Policy:
    return load_policy(name, CORPORA, cwd=CWD, home=HOME, trusted=True)


def generated(policy: Policy) -> list[Case]:
    """The cases that `gen-tests` writes."""
    return [
        Case(str(one.rule), "x", number, one.example.call, Expected((word,)), policy, HERE, one.example.mode)
        for number, one in enumerate(canonical_cases(policy, HERE))
        if one.example is not None and (word := str(one.example.decision.behavior).replace("removed", "deny"))
    ]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(CORPORA / "repository", tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


def test_the_sample_has_this_score(repository: Path, capsys: pytest.CaptureFixture[str], snapshot) -> None:
    assert main(["mutate"]) == 0
    assert capsys.readouterr().out == snapshot


def test_the_tests_for_the_sample(repository: Path, capsys: pytest.CaptureFixture[str], snapshot) -> None:
    assert main(["gen-tests", "--policy", ".", "--out", "policy/all.toolaudit.yaml"]) == 0
    assert Path("policy/all.toolaudit.yaml").read_text() == snapshot
    assert main(["gen-tests", "--policy", ".", "--out", "policy/all.toolaudit.yaml"]) == 2, "nothing is overwritten"
    capsys.readouterr()
    assert main(["test", "policy/all.toolaudit.yaml", "--only-failures"]) == 0
    assert main(["mutate", "policy/all.toolaudit.yaml", "--only", "drop", "--fail-under", "100"]) == 0


def test_pasting_what_is_missing_makes_the_score_whole(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["mutate", "--json"])
    missing = [one for one in json.loads(capsys.readouterr().out)["results"] if one["check"] == "mutant-survived"]
    assert missing
    entries = dict.fromkeys("\n".join(one["details"]) for one in missing)
    Path("policy/pasted.toolaudit.yaml").write_text("policy: ..\ncases:\n" + "\n".join(entries) + "\n")
    assert main(["test", "policy/pasted.toolaudit.yaml", "--only-failures"]) == 0
    assert main(["mutate", "--fail-under", "100"]) == 0


@pytest.mark.parametrize("name", POLICIES)
def test_each_dropped_rule_is_noticed_or_proved_to_do_nothing(name: str) -> None:
    policy = policy_of(name)
    results = list(mutate(policy, HERE, generated(policy), operators=("drop",)))
    assert len(results) == len(set(policy.rules))
    left = [one.mutant.description for one in results if one.fate in (Fate.SURVIVED, Fate.UNDECIDED)]
    assert left == []


@pytest.mark.parametrize("name", POLICIES)
def test_trying_a_mutant_on_few_cases_misses_nothing(name: str) -> None:
    policy = policy_of(name)
    cases = [
        *generated(policy),
        *(case for path in find([CORPORA / "repository"]) for case in load_suite(path).cases if name == "repository"),
    ]
    assert all(isinstance(case, Case) for case in cases)
    trial, every = Trial(cases), list(mutants(policy))
    trial.sort_out(every)
    for mutant in every:
        noticed = any(not run(case, mutant.apply(case.policy, case.workspace)).passed for case in cases)
        assert (trial.killer(mutant) is not None) is noticed, mutant.description


WIDER = """
Bash(npm test)                     Bash(npm test *)
Bash(npm run build *)              Bash(npm run *)
Bash(npm:*)                        -
Bash(npm run:*)                    Bash(npm *)
Bash(git push * --force)           Bash(git push *)
Bash(* --version)                  -
Bash(git *)                        -
Read(/src/**)                      Read(/**)
Read(.env)                         Read(**)
Read(~/notes/*.md)                 Read(~/notes/**)
Edit(//etc/hosts)                  Edit(//etc/**)
WebFetch(domain:docs.python.org)   WebFetch(domain:*.python.org)
WebFetch(domain:python.org)        WebFetch(domain:*.python.org)
mcp__tracker__get_issue            mcp__tracker
mcp__tracker                       -
Agent(deployer)                    Agent
Bash                               -
"""

NARROWER = """
Bash(npm test)                     -
Bash(npm run *)                    Bash(npm run)
Bash(npm run:*)                    Bash(npm run)
Bash(git push * --force)           Bash(git push --force)
Bash(git * push *)                 Bash(git * push)
Read(/src/**)                      Read(/src/*)
Read(*.key)                        Read(x.key)
WebFetch(domain:*.python.org)      WebFetch(domain:python.org)
mcp__tracker                       -
"""


@pytest.mark.parametrize("row", WIDER.strip().splitlines())
def test_widened(row: str) -> None:
    text, wanted = row.split("  ", 1)
    assert widened(grammar.parse(text, Behavior.DENY, Source(Scope.USER), CWD)) == (wanted.strip().strip("-") or None)


@pytest.mark.parametrize("row", NARROWER.strip().splitlines())
def test_narrowed(row: str) -> None:
    text, wanted = row.split("  ", 1)
    assert narrowed(grammar.parse(text, Behavior.DENY, Source(Scope.USER), CWD)) == (wanted.strip().strip("-") or None)


RULES = (
    "Bash(git *)",
    "Bash(git push *)",
    "Bash(git push)",
    "Bash(git push:*)",
    "Bash(git push --force *)",
    "Bash(* --force)",
    "Bash(ls *)",
    "Bash(npm test && npm run x)",
    "Bash(timeout:*)",
    "Bash",
    "Read(/src/**)",
    "Read(src/*.py)",
    "Read(.env)",
    "Read(//etc/**)",
    "Edit(/src/**)",
    "Edit(/.claude/**)",
    "WebFetch(domain:*.python.org)",
    "WebFetch(domain:docs.python.org)",
    "mcp__a",
    "mcp__a__b",
    "mcp__a__*",
    "Agent(x)",
    "Agent",
)

policies = st.fixed_dictionaries(
    {behavior: st.lists(st.sampled_from(RULES), max_size=2, unique=True) for behavior in ("allow", "ask", "deny")}
)


@settings(max_examples=12)
@given(project=policies, user=policies)
def test_what_is_proved_to_make_no_difference_makes_none(project: dict, user: dict) -> None:
    """Against every call that a rule of the policy, or of the mutant, stands for, in every mode."""
    scopes = {Scope.PROJECT: {"permissions": project}, Scope.USER: {"permissions": user}}
    policy = load_objects(scopes, cwd=CWD, home=HOME)
    calls = {}
    for mutant in mutants(policy):
        if mutant.operator in (Operator.HOOK, Operator.MODE) or proof(mutant, policy, HERE) is None:
            continue
        changed = mutant.apply(policy, HERE)
        for rule in mutant.forms(policy, HERE):
            if rule not in calls:
                calls[rule] = list(candidates(rule, directories(policy, HERE)))
            for call in calls[rule]:
                for mode in START_MODES:
                    before, after = (decide(call, one, mode, HERE).behavior for one in (policy, changed))
                    assert {before, after} in ({before}, {Behavior.DENY, Behavior.REMOVED}), (mutant.description, call)


def test_the_score_counts_undecided_mutants_as_missed() -> None:
    assert Score(killed=3, survived=0, undecided=1, equivalent=4).percent == 75
    assert Score(killed=0, survived=0, undecided=0, equivalent=2).percent == 100


NOTHING = {
    "no such path": (["mutate", "nowhere"], 2, "nowhere: no such file or folder"),
    "no tests": (["mutate", ".claude"], 5, "no tests: no *.toolaudit.yaml in .claude"),
    "a low score": (["mutate", "--fail-under", "99"], 1, ""),
    "no policy": (["gen-tests"], 2, "name a policy"),
    "no such policy": (["gen-tests", "--policy", "nowhere"], 3, "nowhere"),
}


@pytest.mark.parametrize(("arguments", "code", "said"), NOTHING.values(), ids=NOTHING)
def test_exit_codes(
    repository: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    assert main(arguments) == code
    assert said in capsys.readouterr().err


def test_a_broken_case_stops_it(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.toolaudit.yaml").write_text("policy: .\ncases:\n - {tool: Grab, input: {}, expect: ask}\n")
    assert main(["mutate"]) == 3
    assert "x.toolaudit.yaml:3:5: no tool is called 'Grab'" in capsys.readouterr().err


def test_tests_can_be_written_for_any_mix_of_scopes(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("user.json").write_text('{"permissions": {"allow": ["Bash(make (a) *)", "Bash(true)"]}}')
    out = "policy/x.toolaudit.yaml"
    assert main(["gen-tests", "--policy", ".", "--user", "user.json", "--deny", "Bash(x *)", "--out", out]) == 0
    assert "user: ../user.json" in Path(out).read_text()
    assert main(["test", out, "--only-failures"]) == 0
    assert capsys.readouterr().out.strip().endswith("passed")


@pytest.mark.parametrize("target", ["/etc/passwd", "../../other", ".env"])
def test_reading_in_the_working_directory_needs_no_rule_behind_links_either(target: str) -> None:
    """The ground of one kind of proof, where it is likeliest to give way."""
    allow = ["Read(/src/**)"]
    policy = load_objects(
        {Scope.PROJECT: {"permissions": {"allow": allow, "deny": ["Read(.env)"]}}}, cwd=CWD, home=HOME
    )
    (dropped,) = (one for one in mutants(policy) if one.operator is Operator.DROP and one.rule.text == allow[0])
    assert proof(dropped, policy, HERE) == "reading there needs no permission"
    place = DataWorkspace.describe(CWD, HOME, {"src/f": "x", ".env": "x"}, {"src/link": target}, git=True)
    changed = dropped.apply(policy, place)
    calls = (ToolCall("Read", {"file_path": f"{CWD}/src/link"}), ToolCall("Bash", {"command": "cat src/link"}))
    for call in calls:
        for mode in START_MODES:
            before, after = (decide(call, one, mode, place).behavior for one in (policy, changed))
            assert before is after
