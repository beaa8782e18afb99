"""Findings of lint checks as results, for every format; secrets are masked."""

from __future__ import annotations

from collections.abc import Iterable

from toolaudit.checks import Check as LintCheck
from toolaudit.checks import checks
from toolaudit.checks.masking import masked
from toolaudit.model import Finding, Source
from toolaudit.reporting.results import Check, Place, Result, Results, Status


def results(findings: Iterable[Finding], summary: tuple[str, ...] = ()) -> Results:
    """One result a finding, by file and then by severity."""
    known = {check.id: _check(check) for check in checks()}
    ordered = sorted(findings, key=_order)
    return Results("lint", [_result(one) for one in ordered], known, summary, passes_matter=False)


def _order(finding: Finding) -> tuple[str, int, int]:
    source = finding.source
    return (
        _file(source),
        source.line or 0 if source is not None else 0,
        source.column or 0 if source is not None else 0,
    )


def _file(source: Source | None) -> str:
    return source.file or "" if source is not None else ""


def _check(check: LintCheck) -> Check:
    return Check(check.id, check.title, check.page, check.severity)


def _result(finding: Finding) -> Result:
    rule = f"{finding.rule.behavior} {masked(finding.rule.text)}" if finding.rule is not None else ""
    related = finding.related
    place = Place.of(related.source) if related is not None else None
    return Result(
        finding.id,
        rule or masked(finding.message),
        Status.FAILED,
        message=masked(finding.message),
        severity=finding.severity,
        place=Place.of(finding.source),
        group=_file(finding.source),
        rule=rule,
        subject=masked(finding.witness),
        help=finding.help,
        related=((f"{related.behavior} {masked(related.text)}", place),) if related is not None and place else (),
        identity=(masked(related.text),) if related is not None else (),
    )
