"""A comparison as results: a call that is let through now is a failure, every other difference a note."""

from __future__ import annotations

from toolaudit.analysis.circumstances import Circumstance, Direction
from toolaudit.analysis.diff import Change, Comparison
from toolaudit.checks.masking import masked
from toolaudit.model import Decision, Rule, Severity
from toolaudit.reporting.differences.text import decided
from toolaudit.reporting.results import Check, Place, Result, Results, Status

CHECKS = {
    "new-access": Check(
        "new-access", "A call meets less resistance than before.", "Narrow the rule that lets it through."
    ),
    "less-access": Check("less-access", "A call meets more resistance than before.", severity=Severity.NOTE),
    "circumstance": Check("circumstance", "Something other than a rule changed.", severity=Severity.WARNING),
}


def results(comparison: Comparison) -> Results:
    """The comparison for the formats that know results only."""
    found = [*map(_change, comparison.changes), *map(_circumstance, comparison.circumstances)]
    summary = (f"verdict: {comparison.verdict}", *(f"not decided exactly: {one}" for one in comparison.undecided))
    return Results("diff", found, CHECKS, summary, passes_matter=False)


def _change(change: Change) -> Result:
    before, after = change.kind
    rule = _rule(change.new) or _rule(change.old)
    old = _rule(change.old)
    place = Place.of(old.source) if old is not None else None
    return Result(
        "new-access" if change.looser else "less-access",
        masked(change.subject),
        Status.FAILED if change.looser else Status.PASSED,
        message=f"{before} before, {after} now: {masked(change.subject)}",
        severity=Severity.ERROR if change.looser else Severity.NOTE,
        place=Place.of(rule.source) if rule is not None else None,
        rule=masked(str(rule)) if rule is not None else "",
        subject=masked(change.subject),
        help=f"then {decided(change.old)}; now {decided(change.new)}",
        related=((masked(str(old)), place),) if old is not None and place is not None else (),
        identity=(before, after, masked(change.subject)),
    )


def _rule(decision: Decision) -> Rule | None:
    return decision.rule or next((one.rule for one in decision.subcommands if one.rule is not None), None)


def _circumstance(one: Circumstance) -> Result:
    looser = one.direction in (Direction.LOOSER, Direction.EITHER)
    return Result(
        "circumstance",
        one.what,
        Status.FAILED if looser else Status.PASSED,
        message=f"{one.what}: {masked(one.old)} before, {masked(one.new)} now ({one.direction})",
        severity=Severity.WARNING if looser else Severity.NOTE,
        identity=(one.what, masked(one.old), masked(one.new)),
    )
