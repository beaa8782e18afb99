"""Decisions as JSON objects: the one machine format that `check`, `decide` and `replay` share (schema 1)."""

from __future__ import annotations

from typing import Any

from toolaudit.model import Decision, Outcome, Rule


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
            {"id": one.id, "severity": one.severity, "message": one.message, "help": one.help}
            for one in decision.findings
        ],
        "trace": [{"stage": one.stage, "note": one.note, "decision": one.behavior} for one in decision.trace],
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
