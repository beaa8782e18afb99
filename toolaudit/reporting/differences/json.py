"""A comparison as one JSON object (schema 1)."""

from __future__ import annotations

import json
from typing import Any, TextIO

from toolaudit.analysis.diff import Comparison
from toolaudit.checks.masking import masked
from toolaudit.model import Decision
from toolaudit.reporting.records import decision_record

SCHEMA = 1


def write(comparison: Comparison, stream: TextIO) -> None:
    whole = {
        "type": "diff",
        "schema": SCHEMA,
        "verdict": comparison.verdict,
        "changes": [
            {
                "from": change.kind[0],
                "to": change.kind[1],
                "looser": change.looser,
                "subject": change.subject,
                "recorded": change.recorded,
                "tool": change.call.tool,
                "input": dict(change.call.input),
                "old": _decision(change.old),
                "new": _decision(change.new),
            }
            for change in comparison.changes
        ],
        "circumstances": [
            {"what": one.what, "old": one.old, "new": one.new, "direction": one.direction}
            for one in comparison.circumstances
        ],
        "alike": comparison.alike,
        "undecided": comparison.undecided,
        "faults": [
            {
                "subject": fault.subject,
                "expected": fault.expected,
                "old": _decision(fault.old),
                "new": _decision(fault.new),
            }
            for fault in comparison.faults
        ],
    }
    stream.write(masked(json.dumps(whole, indent=2)) + "\n")


def _decision(decision: Decision) -> dict[str, Any]:
    return {name: value for name, value in decision_record(decision).items() if name not in ("trace", "findings")}
