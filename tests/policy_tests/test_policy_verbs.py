"""`toolaudit test`, `coverage` and `schema` as a person uses them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from toolaudit.cli import main

CORPORA = Path(__file__).parents[2] / "corpora"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample repository, as the directory we are in."""
    shutil.copytree(CORPORA / "repository", tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


def break_rule(repository: Path, old: str, new: str) -> None:
    settings = repository / ".claude" / "settings.json"
    text = settings.read_text()
    assert old in text
    settings.write_text(text.replace(old, new))


def test_the_sample_passes(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" passed")


def test_a_broken_rule_is_named_with_file_and_line(
    repository: Path, capsys: pytest.CaptureFixture[str], snapshot
) -> None:
    break_rule(repository, "Bash(git push --force *)", "Bash(git push --forced *)")
    assert main(["test", "--only-failures", "-k", "flag=--force"]) == 1
    out = capsys.readouterr().out
    assert "Bash(git push --forced *)  (deny, .claude/settings.json:21:7)" in out
    assert out == snapshot


def test_a_dead_rule_is_named_with_the_reason(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_rule(repository, "Read(/secrets/**)", "Glob(/secrets/**)")
    path = repository / "policy" / "x.toolaudit.yaml"
    path.write_text(
        "policy: ..\ncases:\n"
        " - {tool: Read, input: {file_path: secrets/x}, expect: {decision: deny, rule: Glob(/secrets/**)}}\n"
    )
    assert main(["test", str(path)]) == 1
    assert "ignored   Glob(/secrets/**)  (deny, .claude/settings.json:26:7): only Read rules" in capsys.readouterr().out


def test_fail_fast_stops_at_the_first(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_rule(repository, "Edit(/migrations/**)", "Edit(/moved/**)")
    assert main(["test", "--fail-fast", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["failed"] == 1
    assert main(["test", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["failed"] == 3


NOTHING = {
    "no files": (["test", ".claude"], 5, "no tests: no *.toolaudit.yaml in .claude"),
    "no such name": (["test", "-k", "unheard"], 5, "no tests: no case has such a name"),
    "no such path": (["test", "nowhere"], 2, "nowhere: no such file or folder"),
    "no selection": (["test", "-k", "and"], 2, "expected a text"),
    "nowhere to write": (["test", "--out", "nowhere/x"], 2, "nowhere/x: no such file or directory"),
    "nothing to cover": (["coverage"], 2, "give coverage files, or --calls"),
    "no coverage": (["coverage", ".claude/settings.json"], 2, "expected coverage of schema"),
    "no policy": (["coverage", "--calls", ".", "--policy", "nowhere.json"], 3, "nowhere.json"),
}


@pytest.mark.parametrize(("arguments", "code", "said"), NOTHING.values(), ids=NOTHING)
def test_nothing_to_do_is_no_success(
    repository: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    assert main(arguments) == code
    assert said in capsys.readouterr().err


def test_a_case_for_no_known_tool_is_an_error(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.toolaudit.yaml").write_text("policy: .\ncases:\n - {tool: Grab, input: {}, expect: ask}\n")
    assert main(["test", "x.toolaudit.yaml"]) == 3
    assert "x.toolaudit.yaml:3:5: no tool is called 'Grab'" in capsys.readouterr().out


def test_coverage_is_written_when_tests_fail_too(
    repository: Path, capsys: pytest.CaptureFixture[str], snapshot
) -> None:
    assert main(["test", "--only-failures", "--coverage"]) == 0
    assert capsys.readouterr().out == snapshot
    whole = json.loads(Path(".toolaudit-coverage.json").read_text())
    break_rule(repository, "Bash(git commit *)", "Bash(git commits *)")
    assert main(["test", "--coverage", "broken.json"]) == 1
    broken = json.loads(Path("broken.json").read_text())
    assert broken["percent"] < whole["percent"]


def test_coverage_below_the_limit_fails_and_names_the_rules(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "--fail-under", "80", "--json"]) == 0
    capsys.readouterr()
    assert main(["test", "--fail-under", "99", "--json"]) == 1
    found = [one for one in json.loads(capsys.readouterr().out)["results"] if one["check"] == "untested-rule"]
    assert [(one["rule"], one["place"]["line"]) for one in found] == [
        ("allow Bash(git add *)", 7),
        ("allow Bash(docker compose up *)", 9),
        ("allow mcp__tracker__get_issue", 13),
        ("ask Edit(/package.json)", 18),
    ]


def test_coverage_adds_up(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The parts of a split run make what the whole run makes; recorded calls count too."""
    main(["test", "--coverage", "whole.json"])
    main(["test", "--coverage", "1.json", "-k", "push"])
    main(["test", "--coverage", "2.json", "-k", "not push"])
    capsys.readouterr()
    assert main(["coverage", "1.json", "2.json", "--merged", "both.json"]) == 0
    assert Path("both.json").read_text() == Path("whole.json").read_text()
    sessions = str(CORPORA / "sessions")
    assert main(["coverage", "--calls", sessions, "--policy", ".", "--merged", "calls.json"]) == 0
    assert main(["test", "--coverage", "all.json", "--calls", sessions]) == 0
    assert main(["coverage", "whole.json", "calls.json", "--merged", "sum.json"]) == 0
    assert Path("sum.json").read_text() == Path("all.json").read_text()
    assert main(["coverage", "sum.json", "--fail-under", "100"]) == 1


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert "matrix" in json.loads(capsys.readouterr().out)["$defs"]["CaseEntry"]["properties"]
