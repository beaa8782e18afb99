"""What is suppressed, for how long, and what is said of it."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path

import pytest

from toolaudit.cli import main
from toolaudit.reporting.results import Check, Place, Result, Results, Status
from toolaudit.reporting.suppressions import SuppressionError, apply, read

CORPORA = Path(__file__).parents[2] / "corpora"
TODAY = datetime.date(2027, 1, 15)

GOOD = 'check = "TA001"\nreason = "reviewed"\nexpires = 2027-01-15\n'


def suppressions(text: str, tmp_path: Path):
    path = tmp_path / "toolaudit.toml"
    path.write_text(text)
    return read(path)


FAULTS = {
    "no TOML": ("[[suppress", "not TOML"),
    "another table": ("[suppres]\n", "expected [[suppress]] tables, got 'suppres'"),
    "single brackets": (f"[suppress]\n{GOOD}", "in double brackets"),
    "no reason": ('# x\n[[suppress]]\ncheck = "TA001"\nexpires = 2027-01-01\n', ":2: a suppression needs 'reason'"),
    "an empty reason": (f"[[suppress]]\n{GOOD.replace('reviewed', ' ')}", ":1: a suppression needs a reason"),
    "no end": ('[[suppress]]\ncheck = "TA001"\nreason = "x"\n', ":1: a suppression needs 'expires'"),
    "a date in quotes": (f"[[suppress]]\n{GOOD.replace('2027-01-15', chr(34) * 2)}", "expected expires to be a date"),
    "a time": (f"[[suppress]]\n{GOOD.replace('2027-01-15', '2027-01-15T00:00:00')}", "expected expires to be a date"),
    "a number": (f"[[suppress]]\n{GOOD}rule = 5\n", ":1: expected rule to be a text"),
    "a slip": (f"[[suppress]]\n{GOOD}files = 'x'\n", ":1: there is no key 'files' here"),
    "a failing test": (f"[[suppress]]\n{GOOD.replace('TA001', 'policy-test')}", "a test may be skipped, with a reason"),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SuppressionError) as caught:
        suppressions(text, tmp_path)
    assert said in str(caught.value)


RESULT = Result("TA001", "x", Status.FAILED, "bad", place=Place("a/.claude/settings.json", 3), rule="allow Bash(x *)")

COVERED = {
    "by its check": ("", True),
    "by its rule": ("rule = 'Bash(x *)'\n", True),
    "by its rule with the list": ("rule = 'allow Bash(x *)'\n", True),
    "of another rule": ("rule = 'Bash(x'\n", False),
    "of another list": ("rule = 'deny Bash(x *)'\n", False),
    "by its file": ("file = '.claude/settings.json'\n", True),
    "by its path": ("file = 'a/.claude/settings.json'\n", True),
    "of another file": ("file = 'settings.jso'\n", False),
}


@pytest.mark.parametrize(("text", "covered"), COVERED.values(), ids=COVERED)
def test_what_a_suppression_speaks_of(text: str, covered: bool, tmp_path: Path) -> None:
    (one,) = suppressions(f"[[suppress]]\n{GOOD}{text}", tmp_path)
    assert one.covers(RESULT) is covered


DAYS = {
    "the last day": (TODAY, "skipped", []),
    "the day after": (TODAY + datetime.timedelta(1), "failed", ["expired-suppression"]),
}


@pytest.mark.parametrize(("today", "status", "told"), DAYS.values(), ids=DAYS)
def test_until_when(today: datetime.date, status: str, told: list[str], tmp_path: Path) -> None:
    results = Results("lint", [RESULT], {"TA001": Check("TA001", "x")}, passes_matter=False)
    found = apply(results, suppressions(f"[[suppress]]\n{GOOD}", tmp_path), today)
    assert found.results[0].status == status
    assert [one.check for one in found.results[1:]] == told
    assert all(one.place is not None and one.place.line == 1 for one in found.results[1:])


def test_one_that_suppresses_nothing_is_told_where_its_check_was_made(tmp_path: Path) -> None:
    text = f"[[suppress]]\n{GOOD}\n[[suppress]]\n{GOOD.replace('TA001', 'untested-rule')}"
    found = apply(Results("lint", [], {"TA001": Check("TA001", "x")}), suppressions(text, tmp_path), TODAY)
    assert [(one.check, one.name) for one in found.results] == [("unused-suppression", "TA001")]


def entry(check: str, expires: str) -> str:
    return f'[[suppress]]\ncheck = "{check}"\nreason = "known"\nexpires = {expires}\n'


def test_verbs_follow_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CORPORA / "repository", tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    config = Path("toolaudit.toml")
    assert main(["mutate", "--json"]) == 0
    missed = json.loads(capsys.readouterr().out)["counts"]["failed"]
    config.write_text(entry("mutant-survived", "9999-01-01"))
    assert main(["mutate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"skipped": missed}
    config.write_text(entry("mutant-survived", "2020-01-01"))
    assert main(["mutate"]) == 1
    assert "toolaudit.toml:1: error expired-suppression" in capsys.readouterr().out
    assert main(["mutate", "--no-config"]) == 0
    assert main(["test"]) == 1, "what has expired is an error for every verb"
    config.write_text("[[suppress]]\n")
    assert main(["test"]) == 2
    assert "toolaudit.toml:1: a suppression needs 'check'" in capsys.readouterr().err
    assert main(["test", "--config", "nowhere.toml"]) == 2


def test_lint_follows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    team = str(CORPORA / "policies" / "team")
    assert main(["lint", team, "--json", "--no-config"]) == 1
    found = json.loads(capsys.readouterr().out)["results"]
    errors = {one["check"] for one in found if one["severity"] == "error"}
    config = tmp_path / "x.toml"
    config.write_text("".join(entry(check, "9999-01-01") for check in sorted(errors)))
    assert main(["lint", team, "--json", "--config", str(config)]) == 0
    assert main(["lint", team, "--config", str(config)]) == 0
    assert "suppressed" in capsys.readouterr().out.splitlines()[-1]
