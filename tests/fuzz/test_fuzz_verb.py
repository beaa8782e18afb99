"""`toolaudit fuzz` on the command line: exit codes, reports, saved rows, and what an interruption leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolaudit.cli import main
from toolaudit.fuzz.campaign import Campaign
from toolaudit.fuzz.oracle import Oracle, OracleUnavailable, session

POLICIES = Path(__file__).parents[2] / "corpora" / "policies"
NOTHING_LEFT = str(POLICIES / "deny-everything.json")


@pytest.fixture
def leaky(tmp_path: Path) -> str:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"permissions": {"allow": ["Bash(git *)"], "deny": ["Bash(git push *)"]}}, indent=2))
    return str(file)


def test_nothing_found(oracle: Oracle, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--policy", NOTHING_LEFT, "--examples", "20"]) == 0
    assert "0 errors, 0 warnings, 0 notes" in capsys.readouterr().out


def test_json_goes_to_standard_output(oracle: Oracle, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--policy", NOTHING_LEFT, "--examples", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["discoveries"] == []
    assert main(["fuzz", "--soundness", "--json"]) == 2


def test_something_found_names_rule_and_line(oracle: Oracle, capsys: pytest.CaptureFixture[str], leaky: str) -> None:
    assert main(["fuzz", "--policy", leaky, "--examples", "20"]) == 1
    shown = capsys.readouterr().out
    assert f"error evasion: deny Bash(git push *)  {leaky}:7:7" in shown
    assert f"allow Bash(git *) ({leaky}:4:7)" in shown
    assert "checked against bash 5" in shown


def test_reports_and_rows_are_written(
    oracle: Oracle, capsys: pytest.CaptureFixture[str], leaky: str, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    command = ["fuzz", "--policy", leaky, "--examples", "20", "--out", str(tmp_path / "out"), "--save", str(rows)]
    assert main(command) == 1
    first = capsys.readouterr()
    assert (tmp_path / "out" / "fuzz.txt").read_text() == first.out
    found = json.loads((tmp_path / "out" / "fuzz.json").read_text())
    assert len(rows.read_text().splitlines()) == len(found["discoveries"])
    assert f"{len(found['discoveries'])} rows added" in first.err
    assert main(command) == 1
    again = capsys.readouterr()
    assert again.out == first.out
    assert f"{len(found['discoveries'])} saved rows for this policy: {len(found['discoveries'])} hold" in again.err
    assert "0 rows added" in again.err


def test_damaged_rows_are_wrong_usage(
    oracle: Oracle, capsys: pytest.CaptureFixture[str], leaky: str, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("nonsense\n")
    assert main(["fuzz", "--policy", leaky, "--save", str(rows)]) == 2
    assert f"{rows}:1: expected a saved discovery" in capsys.readouterr().err


def test_policy_that_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["fuzz", "--policy", str(tmp_path / "missing.json")]) == 3
    assert "missing.json" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_examples_must_be_a_number(number: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["fuzz", "--examples", number])
    assert stopped.value.code == 2


def test_interruption_prints_what_was_found(
    oracle: Oracle, capsys: pytest.CaptureFixture[str], leaky: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Campaign.run

    def interrupted(self: Campaign, examples: int, seconds: float | None = None) -> Iterator[int]:
        for number, step in enumerate(whole(self, examples, seconds)):
            if number == 300:
                raise KeyboardInterrupt
            yield step

    monkeypatch.setattr(Campaign, "run", interrupted)
    assert main(["fuzz", "--policy", NOTHING_LEFT]) == 130
    capsys.readouterr()
    assert main(["fuzz", "--policy", leaky]) == 1
    shown = capsys.readouterr().out
    assert "interrupted; this is what was found until then" in shown
    assert "error evasion" in shown


def test_without_the_oracle_it_says_so(
    capsys: pytest.CaptureFixture[str], leaky: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(self: Oracle, seconds: float = 1.0) -> None:
        raise OracleUnavailable("no C compiler", "install one")

    monkeypatch.setattr(session.Oracle, "__init__", missing)
    assert main(["fuzz", "--policy", leaky, "--examples", "20"]) == 1
    assert "not checked against bash: no C compiler; install one" in capsys.readouterr().out
    assert main(["fuzz", "--soundness", "--examples", "20"]) == 2
    assert "no C compiler; install one" in capsys.readouterr().err


def test_soundness_report_is_written(oracle: Oracle, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["fuzz", "--soundness", "--examples", "100", "--seed", "9", "--out", str(tmp_path)]) == 0
    report = (tmp_path / "soundness.md").read_text()
    assert report == capsys.readouterr().out
    assert "toolaudit fuzz --soundness --examples 100 --seed 9" in report
    assert "**0 holes in 10" in report


def test_time_is_a_limit(oracle: Oracle, capsys: pytest.CaptureFixture[str], leaky: str) -> None:
    main(["fuzz", "--policy", leaky, "--examples", "1000000", "--time", "0.5"])
    tries = int(capsys.readouterr().out.split(" tries", 1)[0].rsplit(" ", 1)[1].replace(",", ""))
    assert tries < 100_000
