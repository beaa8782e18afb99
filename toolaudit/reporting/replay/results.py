"""A replay as results, for the formats that know results only: a result for each rule and change, not for each call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, TextIO

from toolaudit.model import Severity
from toolaudit.replay import Change, Group, Replay, Report
from toolaudit.reporting.results import Check, Place, Result, Results, Status, writer
from toolaudit.transcripts.problem import INPUT_FAILED

CHECKS: Final = {
    Change.NOW_ALLOWED: Check(
        "replay-now-allowed", "A call that was refused when it was recorded would run under this policy"
    ),
    Change.NOW_DENIED: Check(
        "replay-now-denied",
        "A call that ran when it was recorded would be denied under this policy",
        severity=Severity.WARNING,
    ),
    Change.NOW_ASKED: Check(
        "replay-now-asked",
        "A call that ran when it was recorded would be asked about under this policy",
        severity=Severity.NOTE,
    ),
}

UNREADABLE: Final = Check("replay-unreadable", "A recording that could not be read", tags=("correctness",))


def write(replay: Replay, stream: TextIO, clean: Callable[[str], str], format: str) -> Report:
    """Run `replay` to its end and write what changed in `format`, each text of a recording passed through `clean`."""
    deque(replay, maxlen=0)
    report = replay.report()
    writer(format)(results(report, clean), stream)
    return report


def results(report: Report, clean: Callable[[str], str]) -> Results:
    """What a report says of calls that change; the numbers are in the summary."""
    found = [
        _result(group, CHECKS[change], clean)
        for change, groups in report.changes.items()
        if change in CHECKS
        for group in groups.shown
    ]
    if report.input_failed:
        found += _unreadable(report, clean)
    checks = {check.id: check for check in (*CHECKS.values(), UNREADABLE)}
    return Results("replay", found, checks, tuple(_summary(report)), passes_matter=False)


def _result(group: Group, check: Check, clean: Callable[[str], str]) -> Result:
    count = f", {group.count:,} times" if group.count > 1 else ""
    rule = group.rule
    subject = clean(group.subject)
    return Result(
        check.id,
        f"{group.tool}: {subject}",
        Status.FAILED,
        f"{check.title.removesuffix(' under this policy')}{count}: {clean(group.why)}",
        severity=check.severity,
        place=Place.of(rule.source) if rule is not None else None,
        group=rule.source.file or "" if rule is not None else "",
        rule=clean(str(rule)) if rule is not None else "",
        subject=subject,
        stage=group.stage,
        details=(f"recorded in {clean(group.file)}:{group.line}, mode {group.mode}",),
        identity=() if rule is not None else (group.tool, subject),
    )


def _unreadable(report: Report, clean: Callable[[str], str]) -> Iterator[Result]:
    for damage in report.troubles:
        for one in damage.shown if damage.trouble in INPUT_FAILED else ():
            file, told = clean(one.file), f"{damage.trouble}: {clean(one.detail)}"
            yield Result(UNREADABLE.id, file, Status.ERROR, told, place=Place(file, one.line))


def _summary(report: Report) -> Iterator[str]:
    behaviors = ", ".join(f"{count:,} {behavior}" for behavior, count in report.behaviors.items() if count)
    yield f"{report.calls:,} calls of {report.sessions:,} sessions: {behaviors or 'none'}"
    for change, groups in report.changes.items():
        if groups.total:
            yield f"{groups.total:,} {change}"
    if report.unused:
        yield f"{len(report.unused):,} rules decided nothing"
