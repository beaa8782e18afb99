"""The whole tour, played for real: what is printed of it, what is written down, and what replay makes of that."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolaudit.cli import main
from toolaudit.tools.effects.commands import Refusing, find_runner

pytest.importorskip("mcp", reason="the tour has an MCP server: pip install toolaudit[mcp]")
pytestmark = [
    pytest.mark.skipif(isinstance(find_runner(), Refusing), reason="playing commands needs a sandbox"),
    pytest.mark.skipif(
        sys.executable.startswith("/tmp/"), reason="the sandbox hides /tmp, and this Python stands there"
    ),
]

SCRIPTS = "corpora/scripts"
TOUR = [
    *("run", f"{SCRIPTS}/tour.yaml", "--workspace", f"{SCRIPTS}/workspace", "--settings", f"{SCRIPTS}/policy.json"),
    *("--mcp", "--env", f"PYTHON={sys.executable}"),
]


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tour's transcript and its calls as JSON are."""
    place = tmp_path_factory.mktemp("tour")
    stdout, sys.stdout = sys.stdout, (place / "calls.ndjson").open("w")
    try:
        assert main([*TOUR, "--json", "--transcript", str(place / "session.jsonl")]) == 1
    finally:
        sys.stdout.close()
        sys.stdout = stdout
    return place


def calls(tour: Path) -> list[dict]:
    return [json.loads(line) for line in (tour / "calls.ndjson").read_text().splitlines()]


def test_what_is_printed(capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion) -> None:
    assert main(TOUR) == 1
    assert capsys.readouterr().out == snapshot


def test_all_fourteen_steps_of_every_call_are_traced(tour: Path, snapshot: SnapshotAssertion) -> None:
    lines = []
    for call in calls(tour):
        stages = [entry["stage"] for entry in call["trace"]]
        lines.append(f"{call['tool']}: {call['became']} at {call['step']} {call['ended_by']}: {' '.join(stages)}")
    assert "\n".join(lines) == snapshot


def test_thirty_calls_and_more_of_every_kind(tour: Path) -> None:
    played = calls(tour)
    assert len(played) >= 30
    assert {call["became"] for call in played} == {"done", "failed", "deny", "invalid", "removed"}
    assert {call["ended_by"] for call in played} >= {"lookup", "schema", "meaning", "denial", "execution", "messages"}


def test_a_result_that_is_too_long_is_kept_in_a_file(tour: Path) -> None:
    (long,) = (call for call in calls(tour) if call["input"].get("command") == "seq 1 20000")
    assert re.search(r"<persisted-output>.*results/", long["result"]["content"], re.DOTALL)


def test_a_replay_of_the_transcript_decides_the_same(tour: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replayed = ["replay", str(tour), "--settings", f"{SCRIPTS}/policy.json", "--mode", "recorded", "--format", "ndjson"]
    assert main([*replayed]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = {row["id"]: (row["decision"], row["rule"]) for row in found if row["type"] == "call"}
    decided = {call["id"]: (call["decision"], call["rule"]) for call in calls(tour) if call["decision"] is not None}
    assert {id: told[id] for id in decided} == decided
    assert len(told) == len(calls(tour))


def test_the_transcript_tells_what_became_of_the_calls(tour: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tour), "--format", "ndjson"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = {row["id"]: row["recorded"]["outcome"] for row in found if row["type"] == "call"}
    expected = {
        "done": {"executed"},
        "failed": {"executed_error"},
        "deny": {"rule_denied", "user_rejected"},
        "invalid": {"validation_error"},
        "removed": {"validation_error"},
    }
    for call in calls(tour):
        assert told[call["id"]] in expected[call["became"]], call
