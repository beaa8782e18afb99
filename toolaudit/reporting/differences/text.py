"""A comparison for a person at a terminal: the verdict, and each class with calls to paste and the deciding rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TextIO

from toolaudit.analysis.circumstances import Direction
from toolaudit.analysis.diff import Change, Comparison, Verdict
from toolaudit.checks.masking import masked
from toolaudit.model import Decision
from toolaudit.reporting.text import Paint, plain

COLOURS = {Verdict.EQUIVALENT: "green", Verdict.STRICTER: "cyan", Verdict.LOOSER: "red", Verdict.BOTH: "yellow"}
_TOWARDS = {Direction.LOOSER: "red", Direction.STRICTER: "cyan", Direction.EITHER: "yellow", Direction.NEITHER: "dim"}


def write(comparison: Comparison, stream: TextIO, shown: int) -> None:
    """At most `shown` calls of each class."""
    paint = Paint(stream)
    for line in _lines(comparison, shown, paint):
        print(line.rstrip(), file=stream)


def _lines(comparison: Comparison, shown: int, paint: Paint) -> Iterator[str]:
    yield paint(comparison.verdict.upper(), COLOURS[comparison.verdict], bold=True)
    for (before, after), members in itertools.groupby(comparison.changes, key=lambda change: change.kind):
        changes = list(members)
        yield ""
        colour = "red" if changes[0].looser else "cyan"
        yield paint(f"{before} -> {after}", colour, bold=True) + f"  ({len(changes):,} found)"
        for change in changes[:shown]:
            yield from _change(change, paint)
        if len(changes) > shown:
            yield paint(f"  and {len(changes) - shown:,} more", "dim")
    if comparison.circumstances:
        yield ""
        yield paint("beside the rules", bold=True)
        for one in comparison.circumstances:
            towards = paint(one.direction, _TOWARDS[one.direction])
            yield f"  {towards}  {plain(one.what)}: {plain(masked(one.old))} -> {plain(masked(one.new))}"
    if comparison.alike:
        yield ""
        yield paint(f"{comparison.alike:,} calls of changed rules are decided as before", "dim")
    for reason in comparison.undecided:
        yield ""
        yield f"{paint('not decided exactly', 'yellow', bold=True)}  {plain(reason)}"
    for fault in comparison.faults:
        yield ""
        yield paint("a fault of this tool: a proposal that the resolver does not bear out", "magenta", bold=True)
        yield f"  {plain(masked(fault.subject))}: expected {plain(fault.expected)}"
        for decision in (fault.old, fault.new):
            yield f"  decided {decision.behavior}: {plain(decision.why)}"


def _change(change: Change, paint: Paint) -> Iterator[str]:
    times = f"  ({change.recorded:,} recorded)" if change.recorded else ""
    yield f"  {plain(masked(change.subject))}{times}"
    yield paint(f"    then  {decided(change.old)}", "dim")
    yield paint(f"    now   {decided(change.new)}", "dim")


def decided(decision: Decision) -> str:
    """The deciding rule with its place, or the reason where no rule decided."""
    rule = decision.rule
    if rule is None:
        rule = next((one.rule for one in decision.subcommands if one.rule is not None), None)
    if rule is not None:
        return plain(masked(f"{rule} ({rule.source})"))
    return plain(masked(decision.why))
