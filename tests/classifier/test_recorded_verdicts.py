"""A recorded classifier run: replayed to the byte, and honest about what it does not hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.classifier.conftest import question
from toolaudit.classifier import TwoStages
from toolaudit.classifier.local import Local
from toolaudit.classifier.recorded import Recorded, Recording
from toolaudit.classifier.spec import build, check
from toolaudit.cli import main
from toolaudit.model.verdict import Answer, Stage, Verdict

CORPORA = Path(__file__).parents[2] / "corpora"
REPLAY = ["replay", str(CORPORA / "sessions"), "--policy", str(CORPORA / "policies" / "team"), "--mode", "auto"]


@pytest.mark.parametrize("form", ["json", "ndjson", "table"])
def test_a_recorded_run_replays_to_the_byte(form: str, tmp_path: Path) -> None:
    kept = str(tmp_path / "verdicts.jsonl")
    first, again = tmp_path / "first", tmp_path / "again"
    told = [*REPLAY, "--format", form, "--flips"]
    assert main([*told, "--classifier", "local", "--record-classifier", kept, "--out", str(first)]) == 0
    assert main([*told, "--classifier", f"recorded:{kept}", "--out", str(again)]) == 0
    assert first.read_bytes() == again.read_bytes()
    assert b"stage 2" in first.read_bytes()


def test_a_missing_verdict_is_unavailable_and_says_so(tmp_path: Path) -> None:
    kept = tmp_path / "verdicts.jsonl"
    with Recording(TwoStages(Local()), kept) as recording:
        recording.classify(question("make deploy"))
    recorded = Recorded.read(kept)
    assert recorded.classify(question("make deploy")).behavior is Answer.BLOCK
    missing = recorded.classify(question("make deploy", "deploy it"))
    assert (missing.behavior, missing.stage) == (Answer.UNAVAILABLE, Stage.FIXED)
    assert "no verdict on this call" in missing.reason


def test_a_question_is_asked_and_kept_once(tmp_path: Path) -> None:
    kept = tmp_path / "verdicts.jsonl"

    class Counting:
        name = "counting"
        times = 0

        def classify(self, asked: object) -> Verdict:
            self.times += 1
            return Verdict(Answer.UNAVAILABLE, Stage.FIRST, "", "down", self.name, 0.25)

    counting = Counting()
    with Recording(counting, kept) as recording:
        verdicts = {id(recording.classify(question("make"))) for _ in range(3)}
    assert (counting.times, len(verdicts), len(kept.read_text().splitlines())) == (1, 1, 1)
    assert Recorded.read(kept).classify(question("make")).latency == 0.25


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", '{"key": "x", "verdict": "perhaps"}', "null", '{"schema": 2}'],
)
def test_a_line_that_is_no_verdict_is_named(line: str, tmp_path: Path) -> None:
    kept = tmp_path / "verdicts.jsonl"
    kept.write_text(f"\n{line}\n")
    with pytest.raises(ValueError, match=r"verdicts\.jsonl:2: expected"):
        Recorded.read(kept)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "verdicts.jsonl"
    with Recording(TwoStages(Local()), kept) as recording:
        recording.classify(question("make deploy"))
    kept.write_text(json.dumps({**json.loads(kept.read_text()), "schema": 9}))
    with pytest.raises(ValueError, match="expected schema 1, got 9"):
        Recorded.read(kept)


@pytest.mark.parametrize("spec", ["", "maybe", "recorded", "recorded:", "openai", "openai:", "local:x", "allow:x"])
def test_a_spec_that_is_none(spec: str) -> None:
    with pytest.raises(ValueError, match="expected unavailable, allow, block, local"):
        check(spec)


@pytest.mark.parametrize(("spec", "answer"), [("allow", "allow"), ("block", "block"), ("unavailable", "unavailable")])
def test_fixed_answers(spec: str, answer: str) -> None:
    assert build(spec).classify(question("make")).behavior == answer


@pytest.mark.parametrize(
    "options",
    [
        ["--classifier", "recorded:/nowhere/v.jsonl"],
        ["--classifier", "local", "--record-classifier", "/nowhere/v.jsonl"],
        ["--classifier", "openai:m", "--classifier-option", "colour=red"],
    ],
)
def test_a_classifier_that_cant_be_used_is_wrong_usage(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "make", "--mode", "auto", *options]) == 2
    assert "--classifier: " in capsys.readouterr().err


def test_one_process_asks_where_a_recording_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*REPLAY, "--record-classifier", str(tmp_path / "v"), "--jobs", "2"]) == 2
    assert "one process" in capsys.readouterr().err
