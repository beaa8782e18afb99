"""From cases to records with a fake client: odd cases, resuming, order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from making import case

from toolaudit.cli import main
from toolaudit.conformance import Case
from toolaudit.conformance.live import Client, Record, measure
from toolaudit.conformance.live.chamber import Chambers

ORDINARY = [
    case("ran", "Run"),
    case("asked", "Ask", {"decision_reason_type": "rule"}),
    case("denied", "Deny", {"decision_reason_type": "mode", "decision_reason": "don't ask"}),
    case("refused", "Refuse", {"text": "no such file"}),
]
EXPECTED = {"ran": "allow", "asked": "ask", "denied": "deny", "refused": "invalid"}


def decisions(client: Client, cases: list[Case], **options: object) -> tuple[dict[str, str], list[str]]:
    complaints: list[str] = []
    records: list[Record] = []
    for batch in measure(client, cases, complain=complaints.append, **options):
        records += batch
    return {record.id: record.decision for record in records}, complaints


def test_each_call_gets_its_record(fake: Client) -> None:
    [records] = measure(fake, ORDINARY, complain=print)
    assert {record.id: record.decision for record in records} == EXPECTED
    assert records[2] == Record("denied", "deny", "mode", "don't ask", "0.0.1")


@pytest.mark.parametrize("odd", ["Hang", "Die", "End"])
def test_an_odd_case_costs_no_other(fake: Client, odd: str) -> None:
    patient = Client(fake.path, fake.version, seconds=3)
    cases = [*ORDINARY[:2], case("odd", odd), *ORDINARY[2:], case("odd too", odd)]
    found, complaints = decisions(patient, cases)
    answered = "allow" if odd == "End" else "none"
    assert found == {**EXPECTED, "odd": answered, "odd too": answered}
    assert list(found) == [one.id for one in cases]
    assert len(complaints) == (0 if odd == "End" else 2)


def test_a_world_that_cannot_be_built_costs_no_other(fake: Client) -> None:
    lost = [case(name, "Run", files={"/etc/made-up": ""}) for name in ("x", "y")]
    found, complaints = decisions(fake, [*lost, *ORDINARY], jobs=2)
    assert found == EXPECTED
    [complaint] = complaints
    assert complaint.startswith("x and 1 more: not asked (OSError")


def test_what_is_known_is_not_asked_again(fake: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = Chambers.ask

    def counted(self: Chambers, world: object, calls: list[object]) -> object:
        asked.append(len(calls))
        return ask(self, world, calls)

    monkeypatch.setattr(Chambers, "ask", counted)
    cases = [*ORDINARY, case("other", "Run", mode="plan")]
    found, _ = decisions(fake, cases, known={"ran", "asked", "denied"})
    assert (found, asked) == ({"refused": "invalid", "other": "allow"}, [4, 1])
    asked.clear()
    assert decisions(fake, cases, known={*EXPECTED, "other"}) == ({}, [])
    assert asked == []


def write(path: Path, cases: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in cases))
    return path


def test_the_verb_records_takes_up_and_says_the_same(
    fake: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = [(number, mode) for number in range(2) for mode in ("plan", "auto")]
    lines = [{"id": f"{mode}-{number}", "tool": "Run", "input": {}, "mode": mode} for number, mode in order]
    cases = write(tmp_path / "cases.jsonl", lines)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    command = ["conform", str(cases), "--client", str(fake.path), "--json", "--record"]
    assert main([*command, str(whole)]) == 0
    records = whole.read_text().splitlines(keepends=True)
    assert [json.loads(record)["id"] for record in records] == [line["id"] for line in lines]
    parts.write_text("".join(records[2:]))
    assert main([*command, str(parts)]) == 0
    assert parts.read_text() == whole.read_text()
    output = capsys.readouterr()
    assert output.err == ""  # no bar where there is no terminal


def test_the_verb_fails_where_a_case_could_not_be_asked(fake: Client, tmp_path: Path) -> None:
    line = {"id": "a", "tool": "Run", "input": {}, "files": {"/etc/made-up": ""}}
    cases = write(tmp_path / "cases.jsonl", [line])
    assert main(["conform", str(cases), "--client", str(fake.path), "--json"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["decisions.jsonl", "--client", "x"],
        ["decisions.jsonl", "--versions", "a", "b"],
        ["decisions.jsonl", "--record", "out"],
        ["decisions.jsonl", "--minimise", "2"],
        ["--minimise", "0", "--client", "x"],
        ["decisions.jsonl", "--versions", "missing", "missing"],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    cases = write(tmp_path / "cases.jsonl", [])
    try:
        code = main(["conform", str(cases), *arguments])
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2


def test_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = write(tmp_path / "cases.jsonl", [{"id": "a", "tool": "Bash", "input": {"command": "ls\x1b[2J"}}])
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text(Record("a", "allow", None, None, "1.0").line())
    new.write_text(Record("a", "ask", "other", "This needs approval", "2.0").line())
    arguments = ["conform", str(cases), "--versions", str(old), str(new), "--show", "5"]
    assert main(arguments) == 1
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert "a  Bash, mode unset: ls" in text
    assert "2.0        ask (other): This needs approval" in text
    assert "1 decisions changed of 1" in text
    assert main([*arguments, "--json"]) == 1
    [change] = json.loads(capsys.readouterr().out)["changes"]
    assert (change["before"]["decision"], change["after"]["decision"]) == ("allow", "ask")
    assert main(["conform", str(cases), "--versions", str(old), str(old)]) == 0


def test_importing_the_live_part_needs_no_resolver() -> None:
    code = "import sys, toolaudit.conformance.live; assert not {'tree_sitter', 'toolaudit.pipeline'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
