"""Coverage for a reader, and as results: a rule that nothing uses is a finding."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from toolaudit.analysis.coverage import Coverage, Origin
from toolaudit.model import Severity
from toolaudit.reporting.results.model import Check, Place, Result, Status

CHECK: Final = Check(
    "untested-rule",
    "A rule that no test and no recorded call uses",
    severity=Severity.WARNING,
    tags=("maintainability",),
)

SHOWN: Final = 20


def lines(coverage: Coverage) -> Iterator[str]:
    """The share of the rules, the rules that nothing uses, and the stages and modes."""
    rules = coverage.rules()
    missed = [one.rule for one in rules if not one.covered]
    used = len(rules) - len(missed)
    yield f"coverage: {coverage.percent():.1f}% of the rules ({used:,} of {len(rules):,})"
    for rule in missed[:SHOWN]:
        yield f"  untouched  {rule.behavior:5} {rule.text}  {rule.source}"
    if len(missed) > SHOWN:
        yield f"  untouched  {len(missed) - SHOWN:,} more"
    yield f"  stages     {_told(coverage.stages())}"
    yield f"  modes      {_told(coverage.modes())}"


def table(coverage: Coverage) -> Iterator[str]:
    """A line a rule, with its uses by tests and by transcripts; then stages and modes."""
    yield "  tests  calls"
    for one in coverage.rules():
        uses = [one.decided.get(origin, 0) + one.in_parts.get(origin, 0) for origin in Origin]
        yield f"{uses[0]:7,}{uses[1]:7,}  {one.rule.behavior:5} {one.rule.text}  {one.rule.source}"
    yield from lines(coverage)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def untested(coverage: Coverage) -> Iterator[Result]:
    """A finding for each rule that nothing uses."""
    for one in coverage.rules():
        if not one.covered:
            rule = one.rule
            yield Result(
                CHECK.id,
                rule.text,
                Status.FAILED,
                f"no test uses the {rule.behavior} rule {rule.text}",
                severity=Severity.WARNING,
                place=Place.of(rule.source),
                group="coverage",
                rule=str(rule),
                help="`toolaudit gen-tests` writes a case for it",
            )


def save(coverage: Coverage, path: Path) -> None:
    """Write `coverage` to a file that `toolaudit coverage` reads. Raises OSError."""
    path.write_text(json.dumps(coverage.data(), indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> Coverage:
    """The coverage in the file at `path`. Raises OSError, and ValueError for a file of another kind."""
    try:
        return Coverage.read(json.loads(path.read_text(encoding="utf-8")))
    except RecursionError:
        raise ValueError("expected coverage, got a file nested too deeply") from None
