"""Decisions as JSON objects: the one machine format that `check`, `decide` and `replay` share (schema 1)."""

from __future__ import annotations

from typing import Any

from toolaudit.model import Decision, Outcome, Rule
from toolaudit.model.verdict import Verdict


def decision_record(decision: Decision) -> dict[str, Any]:
    """What a decision says, without the call it is about."""
    return {
        "decision": decision.behavior,
        "stage": decision.stage,
        "reason_type": decision.reason_type,
        "rule": decision.rule.text if decision.rule is not None else None,
        "source": _source(decision.rule),
        "why": decision.why,
        "subcommands": [_outcome(outcome) for outcome in decision.subcommands],
        "findings": [
            {
                "id": one.id,
                "severity": one.severity,
                "message": one.message,
                "help": one.help,
                "witness": one.witness or None,
            }
            for one in decision.findings
        ],
        "trace": [{"stage": one.stage, "note": one.note, "decision": one.behavior} for one in decision.trace],
        "classifier": _verdict(decision.verdict),
    }


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    """What the classifier said; the text it saw is left to its recording."""
    if verdict is None:
        return None
    return {
        "answer": verdict.behavior,
        "stage": verdict.stage,
        "category": verdict.category or None,
        "reason": verdict.reason,
        "backend": verdict.backend,
        "seconds": verdict.latency,
        "input_tokens": verdict.usage.input_tokens,
        "output_tokens": verdict.usage.output_tokens,
        "dollars": verdict.usage.dollars,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "subject": outcome.subject,
        "decision": outcome.behavior,
        "why": outcome.why,
        "rule": outcome.rule.text if outcome.rule is not None else None,
        "source": _source(outcome.rule),
    }


def _source(rule: Rule | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    source = rule.source
    return {"scope": source.scope, "file": source.file, "line": source.line, "column": source.column}
