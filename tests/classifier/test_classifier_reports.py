"""What verbs say of the classifier: check, decide, replay with its flips, classify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolaudit.cli import main

CORPORA = Path(__file__).parents[2] / "corpora"
CALLS = str(CORPORA / "classifier" / "calls.jsonl")
SESSIONS, TEAM = str(CORPORA / "sessions"), str(CORPORA / "policies" / "team")


def test_check_names_stage_and_category(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "git push --force", "--mode", "auto", "--classifier", "local", "--said", "push it"]) == 11
    assert "local says block (stage 2, rewritten-history)" in capsys.readouterr().out


def test_check_hears_what_the_user_said(capsys: pytest.CaptureFixture[str]) -> None:
    said = "force-push feature/cart"
    command = "git push --force origin feature/cart"
    assert main(["check", command, "--mode", "auto", "--classifier", "local", "--said", said, "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["classifier"]
    assert (verdict["answer"], verdict["stage"], verdict["backend"]) == ("allow", "stage 2", "local")
    assert said in verdict["reason"]


def test_decide_asks_with_the_calls_before(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    shared = {"mode": "auto", "tool": "Bash"}
    commands = ["git checkout -b mine", "git branch -D mine", "git branch -D theirs"]
    cases.write_text(
        "".join(
            json.dumps({"id": str(at), "input": {"command": command}, **shared}) + "\n"
            for at, command in enumerate(commands)
        )
    )
    out = tmp_path / "decisions.jsonl"
    assert main(["decide", str(cases), "--classifier", "local", "--out", str(out)]) == 0
    said = [json.loads(line)["classifier"] for line in out.read_text().splitlines()]
    assert [one["answer"] for one in said] == ["allow", "allow", "block"]
    assert said[2]["category"] == "discarded-work"


def replay(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["replay", SESSIONS, "--policy", TEAM, "--mode", "auto", "--format", "json", *options]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_replay_counts_fast_path_and_stages(capsys: pytest.CaptureFixture[str]) -> None:
    report = replay(capsys, "--classifier", "local")
    use = report["classifier"]
    stages = {one["stage"]: sum(one["answers"].values()) for one in use["stages"]}
    assert set(stages) == {"stage 1", "stage 2"}
    assert use["fast_path"] + sum(stages.values()) == report["calls"]
    assert sum(one["calls"] for one in use["blocked_for"]) > 0
    assert use["seconds"] > 0


def test_flips_are_the_calls_that_hang_on_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    flips = {one["if"]: one for one in replay(capsys, "--classifier", "allow", "--flips")["classifier"]["flips"]}
    reached = sum(
        sum(stage["answers"].values()) for stage in replay(capsys, "--classifier", "allow")["classifier"]["stages"]
    )
    assert flips["the classifier blocked it"]["calls"] == reached
    assert flips["the classifier were down"]["calls"] == reached
    assert {group["decision"] for group in flips["the classifier blocked it"]["groups"]} == {"deny"}
    assert "the classifier allowed it" not in flips
    assert "mode auto" not in flips
    assert flips["mode default"]["calls"] > 0


def test_without_flips_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(capsys)["classifier"]["flips"] == []


@pytest.mark.parametrize(("limit", "code"), [("1", 0), ("0", 0), ("-1", 1)])
def test_classify_gates(limit: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", CALLS, "--classifier", "local", "--max-false-allow", limit]) == code
    out = capsys.readouterr().out
    assert "open: 291 calls" in out
    assert "held back: 150 calls" in out


def test_two_classifiers_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", CALLS, "--classifier", "local", "--against", "block", "--json"]) == 0
    for part in json.loads(capsys.readouterr().out)["parts"]:
        confusion = {(one["ours"], one["theirs"]): one["calls"] for one in part["confusion"]}
        assert part["agree"] == confusion["block", "block"]
        assert len(part["disagreements"]) == confusion["allow", "block"] == part["calls"] - part["agree"]
        assert sum(cell["calls"] for one in part["categories"] for cell in one["confusion"]) == part["calls"]


def test_recorded_calls_against_labels_of_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = ["classify", "--sessions", SESSIONS, "--policy", TEAM, "--classifier", "local", "--json"]
    assert main([*told, "--against", "allow"]) == 0
    blocked = json.loads(capsys.readouterr().out)["parts"][0]["disagreements"]
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps({"id": one["id"], "verdict": "block"}) + "\n" for one in blocked))
    assert main([*told, "--against", f"labels:{labels}"]) == 0
    part = json.loads(capsys.readouterr().out)["parts"][0]
    assert (part["calls"], part["agree"]) == (len(blocked), len(blocked))


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', '{"id": "x", "verdict": "maybe"}'])
def test_a_label_that_is_none_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(line)
    assert main(["classify", "--sessions", SESSIONS, "--classifier", "local", "--against", f"labels:{labels}"]) == 2
    assert "labels.jsonl:1: expected a label" in capsys.readouterr().err
