"""Which calls reach the classifier, against what the real client did in modes auto and plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.conformance import BadLine, read_cases
from toolaudit.conformance.decide import Decider

SETS = ("dev", "special", "sandbox", "documents", "programs")


@pytest.mark.parametrize("mode", ["auto", "plan"])
def test_which_calls_reach_the_classifier(mode: str, shared: Path) -> None:
    agree = calls = reached = 0
    wrong: list[str] = []
    for name in SETS:
        decisions = {}
        with (shared / "conformance" / f"{name}.decisions.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                decisions[row["id"]] = row
        decider = Decider()
        with (shared / "conformance" / f"{name}.cases.jsonl").open(encoding="utf-8") as lines:
            for case in read_cases(lines):
                assert not isinstance(case, BadLine)
                if case.mode != mode or decisions.get(case.id, {}).get("decision") in (None, "none"):
                    continue
                decision, _ = decider.decide(case)
                theirs = decisions[case.id]["reason_type"] == "classifier"
                calls += 1
                reached += theirs
                agree += (decision.verdict is not None) is theirs
                if (decision.verdict is not None) is not theirs:
                    wrong.append(case.id)
    assert calls > 200
    assert reached > 50
    assert agree / calls >= 0.99, f"{agree} of {calls}: {wrong[:20]}"
