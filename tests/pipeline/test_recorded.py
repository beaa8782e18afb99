"""Recorded sessions through all fourteen steps: every call ends at a step, and every step says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolaudit.cli import main
from toolaudit.model import Behavior
from toolaudit.pipeline import STEPS

CORPORA = Path(__file__).parents[2] / "corpora"
TEAM = str(CORPORA / "policies" / "team")
NAMES = [name for name, _ in STEPS]


def walked(path: str, capsys: pytest.CaptureFixture[str], *further: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    main(["replay", path, "--policy", TEAM, "--pipeline", "--format", "ndjson", *further])
    *calls, report = map(json.loads, capsys.readouterr().out.splitlines())
    return calls, report


def unexplained(calls: list[dict[str, Any]]) -> list[Any]:
    """Calls of which some step says nothing, or that do not end where their steps do."""
    found = []
    for call in calls:
        steps, end = call["steps"], NAMES.index(call["ended_by"])
        late = [step for step in steps[end + 1 : -1] if step["note"] != "not reached"]
        done = call["ended_by"] in ("messages", "execution") and not any(s["note"] == "not reached" for s in steps)
        explained = [step["step"] for step in steps] == NAMES and all(step["note"] for step in steps)
        if not (explained and (done or not late) and call["why"] == steps[end]["note"]):
            found.append(call)
    return found


def test_the_project_s_own_sessions(capsys: pytest.CaptureFixture[str]) -> None:
    calls, report = walked(str(CORPORA / "sessions"), capsys, "--mode", "recorded")
    assert not unexplained(calls)
    assert report["calls"] == len(calls) == sum(row["calls"] for row in report["steps"])
    ended = {row["step"] for row in report["steps"] if row["calls"]}
    assert {"lookup", "abort", "meaning", "denial", "execution", "messages"} <= ended


def test_a_real_session(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls, report = walked(str(shared / "transcripts" / "claude-code"), capsys, "--mode", "recorded")
    assert len(calls) > 1000
    assert not unexplained(calls)
    assert report["calls"] == len(calls)


def test_what_was_recorded_decides_after_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    calls, _ = walked(str(CORPORA / "sessions"), capsys, "--mode", "recorded")
    for call in calls:
        if call["ended_by"] == "messages":
            assert call["recorded"] == "executed"
        if call["recorded"] == "validation_error":
            assert call["ended_by"] in ("lookup", "schema", "meaning")
        if call["recorded"] == "cancelled":
            assert call["ended_by"] in ("lookup", "abort")
        if call["decision"] == Behavior.DENY and call["ended_by"] == "denial":
            assert call["error_class"].startswith("permission_denied")


@pytest.mark.parametrize("kind", ["table", "json"])
def test_the_report_names_every_step(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["replay", str(CORPORA / "sessions"), "--policy", TEAM, "--pipeline", "--format", kind])
    out = capsys.readouterr().out
    assert code == 0
    assert all(name in out for name in NAMES)
