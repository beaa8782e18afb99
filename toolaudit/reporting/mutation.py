"""Mutants as results: what no test notices, each with the test that is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from toolaudit.analysis.mutation import Example, Fate, MutantResult, Score
from toolaudit.model import Decision, Rule, Severity
from toolaudit.reporting.results.model import Check, Place, Result, Status
from toolaudit.testing.load import subject
from toolaudit.testing.run import deciding_rules
from toolaudit.testing.write import write_case

CHECKS: Final = {
    check.id: check
    for check in (
        Check("mutant-survived", "A change of the policy that no test notices", severity=Severity.WARNING),
        Check(
            "mutant-undecided",
            "A change of the policy that no test notices and that may make no difference",
            severity=Severity.NOTE,
        ),
    )
}


def survivors(results: Iterable[MutantResult], places: Mapping[str, str]) -> Iterator[Result]:
    """A result for each missing test, with all the mutants of its rule that it would kill; then the undecided ones."""
    groups: dict[tuple[object, ...], list[MutantResult]] = {}
    for one in results:
        if one.fate in (Fate.SURVIVED, Fate.UNDECIDED):
            call = (subject(one.example.call), one.example.mode) if one.example is not None else None
            groups.setdefault((one.mutant.source, one.mutant.rule, one.fate, call), []).append(one)
    for group in groups.values():
        yield _result(group, places)


def _result(group: Sequence[MutantResult], places: Mapping[str, str]) -> Result:
    first = group[0]
    mutant, example = first.mutant, first.example
    place = Place.of(mutant.source)
    changes = "; ".join(one.mutant.description for one in group)
    paste = () if example is None else tuple(missing_case(example, mutant.rule, places).splitlines())
    return Result(
        "mutant-survived" if example is not None else "mutant-undecided",
        changes,
        Status.FAILED,
        f"no test notices: {changes}",
        severity=Severity.WARNING if example is not None else Severity.NOTE,
        place=place,
        group=place.file if place is not None else "",
        rule=str(mutant.rule) if mutant.rule is not None else "",
        subject=subject(example.call) if example is not None else "",
        details=paste,
        help="" if paste else "no call was found that tells them apart, and no proof that there is none",
        identity=tuple(one.mutant.description for one in group),
    )


def missing_case(example: Example, rule: Rule | None, places: Mapping[str, str]) -> str:
    """The case that the first policy passes and the second does not."""
    decision = example.decision
    name = f"{decision.behavior} {subject(example.call)}"
    mode = f" in mode {example.mode}" if example.mode is not None else ""
    return write_case(f"{name}{mode}", example.call, example.mode, expectation(decision, rule), places)


def expectation(decision: Decision, rule: Rule | None) -> dict[str, str]:
    """What to expect so that the decision is the same again; the rule too, where it is the one that decides."""
    word = {"decision": "deny" if decision.behavior == "removed" else str(decision.behavior)}
    return {**word, "rule": rule.text} if rule is not None and rule in deciding_rules(decision) else word


def lines(results: Sequence[MutantResult]) -> Iterator[str]:
    """The score, and the fates by operator."""
    score = Score.of(results)
    yield (
        f"mutation score: {score.percent:.1f}% ({score.killed:,} killed, {score.survived:,} survived, "
        f"{score.undecided:,} undecided; {score.equivalent:,} more proved equivalent)"
    )
    counts = Counter((one.mutant.operator, one.fate) for one in results)
    for operator in dict.fromkeys(one.mutant.operator for one in results):
        told = ", ".join(f"{counts[operator, fate]:,} {fate}" for fate in Fate if counts[operator, fate])
        yield f"  {operator:7} {told}"


def proofs(results: Iterable[MutantResult]) -> Iterator[str]:
    """A line for each mutant that is proved equivalent."""
    for one in results:
        if one.fate is Fate.EQUIVALENT:
            yield f"  equivalent  {one.mutant.description}: {one.why}"
