from __future__ import annotations

import gzip
import io
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolaudit.cli import main

CORPORA = Path(__file__).parents[2] / "corpora"
SESSIONS, TEAM = str(CORPORA / "sessions"), str(CORPORA / "policies" / "team")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_report_is_the_sum_of_the_records(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", SESSIONS, "--policy", TEAM, "--mode", "recorded", "--format", "ndjson"]) == 0
    *events, report = lines(capsys)
    calls = [event for event in events if event["type"] == "call"]
    assert report["type"] == "report"
    assert report["calls"] == len(calls) == len({(call["file"], call["id"]) for call in calls})
    assert report["decisions"] == Counter(call["decision"] for call in calls)
    assert {row["tool"]: row["calls"] for row in report["tools"]} == Counter(call["tool"] for call in calls)
    assert {row["mode"]: row["calls"] for row in report["modes"]} == Counter(call["mode"] for call in calls)
    assert {row["stage"]: row["calls"] for row in report["stages"]} == Counter(call["stage"] for call in calls)
    assert {row["outcome"]: row["calls"] for row in report["outcomes"]} == Counter(
        call["recorded"]["outcome"] for call in calls
    )
    assert {name: n for name, n in report["changes"].items() if n} == Counter(call["change"] for call in calls)
    deciding = Counter(call["rule"] for call in calls if call["rule"])
    assert {row["rule"]: row["decided"] for row in report["rules"] if row["decided"]} == deciding
    assert report["files"] == sum(event["type"] == "file" for event in events)
    assert sum(row["total"] for row in report["problems"]) == sum(event["type"] == "problem" for event in events)
    for change in ("now_allowed", "now_denied", "now_asked"):
        kept = report[change]
        assert kept["calls"] == sum(group["calls"] for group in kept["groups"]) + kept["left_out"]


def test_every_rule_is_used_unused_or_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", SESSIONS, "--policy", TEAM, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    named = [row["rule"] for part in ("rules", "unused_rules", "ignored_rules") for row in report[part]]
    written = [
        rule
        for name in ("settings.json", "settings.local.json")
        for behavior in ("allow", "ask", "deny")
        for rule in json.loads((Path(TEAM) / ".claude" / name).read_text())["permissions"].get(behavior, [])
    ]
    assert Counter(named) == Counter(written)
    assert all(row["source"]["line"] for part in ("rules", "unused_rules") for row in report[part])


def test_the_order_of_files_changes_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(str(path) for path in Path(SESSIONS).rglob("*.jsonl*"))
    reports = []
    for order in (files, files[::-1]):
        main(["replay", *order, "--policy", TEAM, "--format", "json"])
        reports.append(json.loads(capsys.readouterr().out))
    for key in ("calls", "copies", "lines", "decisions", "changes", "outcomes", "tools", "stages"):
        one, other = (sorted(map(str, r[key])) if isinstance(r[key], list) else r[key] for r in reports)
        assert one == other, key


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param([SESSIONS, "--policy", TEAM], 0, id="done"),
        pytest.param([SESSIONS, "no-such-file.jsonl", "--policy", TEAM], 1, id="a file that is not there"),
        pytest.param([SESSIONS, "--policy", "no-such-policy.json"], 3, id="a policy that is not there"),
        pytest.param([SESSIONS, "--policy", str(CORPORA / "README.md")], 3, id="a policy that is none"),
        pytest.param(
            [SESSIONS, "--policy", TEAM, "--out", "/no/such/folder/x"], 2, id="an output that can't be written"
        ),
    ],
)
def test_exit_codes(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", *arguments]) == code
    said = capsys.readouterr().err
    assert bool(said) is (code != 0)
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "arguments", [["replay"], ["replay", "x", "--mode", "yolo"], ["replay", "x", "--show", "-1"]], ids=" ".join
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_standard_input_glob_and_gzip_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = next(Path(SESSIONS).rglob("*.stream.jsonl")).read_bytes()
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(session))
    counts = []
    for path, stdin in ((str(tmp_path / "*.gz"), b""), ("-", session), ("-", gzip.compress(session))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        assert main(["replay", path, "--policy", TEAM, "--format", "json"]) == 0
        counts.append(json.loads(capsys.readouterr().out)["calls"])
    assert counts == [4, 4, 4]


def test_out_takes_the_report_and_standard_output_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", SESSIONS, "--policy", TEAM, "--out", str(tmp_path / "report.txt")]) == 0
    assert "calls of" in (tmp_path / "report.txt").read_text()
    assert capsys.readouterr().out == ""


def test_the_real_recordings_end_well(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(shared / "transcripts" / "claude-code")
    assert main(["replay", folder, "--policy", TEAM, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["calls"] == sum(report["decisions"].values()) > 2000
    assert report["complete"] is True


def test_the_sessions_come_out_of_their_script(tmp_path: Path) -> None:
    import subprocess

    subprocess.run([sys.executable, str(CORPORA / "make_sessions.py"), str(tmp_path)], check=True)
    made = {path.relative_to(tmp_path): _content(path) for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(SESSIONS): _content(path) for path in Path(SESSIONS).rglob("*") if path.is_file()}
    assert made == kept


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data
