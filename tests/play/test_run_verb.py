"""`toolaudit run`: other ways to use it, and what it says when it can't."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from toolaudit.cli import main
from toolaudit.tools.effects.commands import Refusing, find_runner

pytestmark = pytest.mark.skipif(isinstance(find_runner(), Refusing), reason="playing commands needs bubblewrap")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.yaml"
    path.write_text('- call: {Bash: {command: "touch made"}}\n')
    return path


def test_a_person_at_the_terminal_answers(
    tmp_path: Path, script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    keep = tmp_path / "kept"
    assert main(["run", str(script), "--answer", "ask-me", "--keep", str(keep)]) == 0
    captured = capsys.readouterr()
    assert "Bash: touch made" in captured.err
    assert "Let it run? [y/N]" in captured.err
    assert (keep / "work" / "made").exists()


def test_the_end_of_the_input_is_a_no(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["run", str(script), "--answer", "ask-me"]) == 1
    assert "answer: you said no" in capsys.readouterr().out


def test_the_workspace_itself_stays_as_it_is(tmp_path: Path, script: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    assert main(["run", str(script), "--workspace", str(work), "--answer", "allow"]) == 0
    assert list(work.iterdir()) == []


def test_the_calls_of_two_runs_are_not_each_other_s_copies(
    tmp_path: Path, script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        main(["run", str(script), "--transcript", str(tmp_path / "sessions" / f"{name}.jsonl")])
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "sessions"), "--format", "ndjson"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(row["type"] == "call" for row in rows) == 2


def test_all_steps_on_request(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(script), "--allow", "Bash", "--trace"]) == 0
    out = capsys.readouterr().out
    assert all(f"{number:>2} " in out for number in range(1, 15))
    assert " 8 permissions" in out


def test_a_recorded_session_is_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    session = max(Path("corpora/sessions/-srv-webshop").glob("*.jsonl"), key=lambda path: path.stat().st_size)
    assert main(["run", str(session), "--json"]) == 1
    played = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(played) > 5
    assert {call["tool"] for call in played} >= {"Bash", "Read"}
    assert not [call for call in played if "/srv/webshop" in json.dumps(call["input"])]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nothing.yaml"], "toolaudit run: nothing.yaml: no such file or directory"),
        (["nothing.jsonl"], "toolaudit run: nothing.jsonl: no such file or directory"),
        (["EMPTY"], "empty.jsonl: no call of the main agent is recorded there"),
        (["SCRIPT", "--workspace", "/nonexistent"], "no such file or directory"),
        (["SCRIPT", "--mcp"], ".mcp.json: no such file or directory"),
        (["SCRIPT", "--keep", "/"], "file exists"),
    ],
)
def test_what_can_not_be_played_is_told(
    script: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (script.parent / "empty.jsonl").write_text("{}\n")
    files = {"SCRIPT": str(script), "EMPTY": str(script.parent / "empty.jsonl")}
    assert main(["run", *(files.get(option, option) for option in options)]) == 2
    assert said in capsys.readouterr().err


def test_a_bad_policy_is_code_three(tmp_path: Path, script: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    assert main(["run", str(script), "--settings", str(tmp_path / "bad.json")]) == 3
