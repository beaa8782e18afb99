"""A replay as JSON objects (schema 1). What a reader may find there is listed in `SCHEMA`'s sentences below.

Objects have fixed keys; what is counted by name (tools, rules, reasons) is a list of objects, so that text of the input
is never a key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.model import Behavior, Rule
from toolaudit.replay import Groups, Record, Report
from toolaudit.replay.report import ClassifierUse, Counts
from toolaudit.replay.truth import Score, score, truth
from toolaudit.reporting.records import decision_record
from toolaudit.transcripts import FileRead, Problem
from toolaudit.transcripts.markers import TABLE_VERSION

SCHEMA = 1
"""Raised when a key changes its meaning or goes; new keys do not raise it."""


def record_object(record: Record) -> dict[str, Any]:
    """One call: where it stands, what it was, what became of it, what is decided now."""
    recorded = record.recorded
    said = truth(recorded)
    return {
        "type": "call",
        "file": recorded.file,
        "line": recorded.line,
        "id": recorded.call.id,
        "session": recorded.session,
        "timestamp": recorded.timestamp,
        "version": recorded.version,
        "cwd": recorded.cwd,
        "root": recorded.root,
        "sidechain": recorded.sidechain,
        "agent": recorded.agent,
        "agent_tool": recorded.name or recorded.call.tool,
        "counterpart": recorded.counterpart,
        "tool": recorded.call.tool,
        "input": recorded.call.input,
        "recorded": {
            "outcome": recorded.outcome,
            "grounds": recorded.evidence.grounds,
            "marker": recorded.evidence.marker,
            "mode": recorded.mode,
            "prompted": recorded.prompted,
        },
        "mode": record.mode,
        "mode_recorded": record.mode_recorded,
        "change": record.change.name.lower(),
        "truth": said.name.lower(),
        "score": score(said, record.decision) if recorded.counterpart else Score.UNKNOWN,
        "complexity": record.complexity,
        "flips": [{"if": flip.if_, "decision": flip.behavior} for flip in record.flips],
        **decision_record(record.decision),
    }


def problem_object(problem: Problem) -> dict[str, Any]:
    return {
        "type": "problem",
        "problem": problem.trouble,
        "detail": problem.detail,
        "file": problem.file,
        "line": problem.line,
    }


def file_object(read: FileRead) -> dict[str, Any]:
    return {"type": "file", "file": read.file, "format": read.format, "lines": read.lines, "calls": read.calls}


def report_object(report: Report) -> dict[str, Any]:
    """All the numbers, the groups of changed calls and the first problems of each kind."""
    return {
        "type": "report",
        "schema": SCHEMA,
        "toolaudit": __version__,
        "client": CLIENT_VERSION,
        "markers": TABLE_VERSION,
        "calls": report.calls,
        "copies": report.copies,
        "files": report.files,
        "lines": report.lines,
        "sessions": report.sessions,
        "sidechain_calls": report.sidechain_calls,
        "modes_recorded": report.modes_recorded,
        "without_counterpart": [{"tool": name, "calls": calls} for name, calls in report.strangers.items()],
        "formats": [
            {"format": name, "files": files, "calls": calls} for name, (files, calls) in report.formats.items()
        ],
        "decisions": _decisions(report.behaviors),
        "stages": _counted("stage", report.stages),
        "tools": _counted("tool", report.tools),
        "modes": _counted("mode", report.modes),
        "outcomes": [{"outcome": outcome, "calls": calls} for outcome, calls in report.outcomes.items()],
        "grounds": dict(report.grounds),
        "truths": [
            {
                "truth": one.truth.name.lower(),
                "calls": one.calls,
                "scores": dict(one.scores),
                "rests_on": [
                    {"grounds": grounds, "marker": marker, "calls": calls}
                    for (grounds, marker), calls in one.markers.items()
                ],
            }
            for one in report.truths
        ],
        "changes": {change.name.lower(): calls for change, calls in report.change_counts.items()},
        **{change.name.lower(): _groups(groups) for change, groups in report.changes.items()},
        "rules": [{**_rule(use.rule), "decided": use.decided, "in_parts": use.in_parts} for use in report.rules],
        "unused_rules": [_rule(rule) for rule in report.unused],
        "ignored_rules": [{**_rule(rule), "why": why} for rule, why in report.ignored],
        "too_complex": _counted("reason", report.complexities),
        "findings": [
            {"id": name, "message": message, "calls": calls} for (name, message), calls in report.findings.items()
        ],
        "policy_findings": [
            {
                "id": finding.id,
                "severity": finding.severity,
                "message": finding.message,
                "help": finding.help,
                "source": str(finding.source) if finding.source is not None else None,
            }
            for finding in report.policy_findings
        ],
        "problems": [
            {
                "problem": damage.trouble,
                "total": damage.total,
                "first": [{"detail": one.detail, "file": one.file, "line": one.line} for one in damage.shown],
            }
            for damage in report.troubles
        ],
        "classifier": _classifier(report.classifier),
        "complete": not report.input_failed,
    }


def _classifier(use: ClassifierUse | None) -> dict[str, Any] | None:
    if use is None:
        return None
    return {
        "fast_path": use.fast,
        "stages": [{"stage": stage, "answers": dict(answers)} for stage, answers in use.stages.items()],
        "blocked_for": [{"category": name or None, "calls": calls} for name, calls in use.categories.items()],
        "seconds": use.seconds,
        "input_tokens": use.usage.input_tokens,
        "output_tokens": use.usage.output_tokens,
        "dollars": use.usage.dollars,
        "flips": [{"if": name, **_groups(groups)} for name, groups in use.flips.items()],
    }


def _counted(name: str, table: Mapping[Any, Counts]) -> list[dict[str, Any]]:
    return [
        {name: key, "calls": sum(counts.values()), "decisions": _decisions(counts)} for key, counts in table.items()
    ]


def _decisions(counts: Counts) -> dict[str, int]:
    return {behavior: counts[behavior] for behavior in Behavior if counts.get(behavior)}


def _groups(groups: Groups) -> dict[str, Any]:
    return {
        "calls": groups.total,
        "left_out": groups.left_out,
        "groups": [
            {
                "calls": group.count,
                "tool": group.tool,
                "subject": group.subject,
                "outcome": group.outcome,
                "decision": group.behavior,
                "stage": group.stage,
                "why": group.why,
                **_rule(group.rule),
                "mode": group.mode,
                "file": group.file,
                "line": group.line,
            }
            for group in groups.shown
        ],
    }


def _rule(rule: Rule | None) -> dict[str, Any]:
    if rule is None:
        return {"rule": None, "behavior": None, "source": None}
    source = rule.source
    return {
        "rule": rule.text,
        "behavior": rule.behavior,
        "source": {"scope": source.scope, "file": source.file, "line": source.line, "column": source.column},
    }


def cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """`value` with `clean` applied to every string in it that is not a key this module wrote.

    Keys inside a call's input are text of the transcript and are cleaned too; the names of this module's own keys hold
    nothing to clean.
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(key): cleaned(item, clean) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(item, clean) for item in value]
    return value
