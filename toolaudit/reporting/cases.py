"""Policy tests as results: what a reviewer needs to see at once where a case failed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final

from toolaudit.model import Rule
from toolaudit.reporting.results.model import Check, Place, Result, Status
from toolaudit.rules.grammar import governs
from toolaudit.testing.case import Broken, Case, Unset
from toolaudit.testing.load import subject
from toolaudit.testing.run import CaseResult, deciding_rules

CHECKS: Final = {
    check.id: check
    for check in (
        Check("policy-test", "A policy decides a call otherwise than its tests expect"),
        Check("policy-test-broken", "A policy test that says nothing that could be tested", tags=("correctness",)),
    )
}

_MOST_COMPARED: Final = 1_000
_LIKE: Final = 0.6


def case_result(result: CaseResult, seconds: float = 0.0) -> Result:
    """A case that was decided."""
    case = result.case
    passed = Result(
        "policy-test",
        case.name,
        Status.PASSED,
        place=Place(case.file, case.line),
        group=case.file,
        stage=result.decision.stage,
        seconds=seconds,
    )
    if result.passed:
        return passed
    rule = _at_fault(result)
    place = Place.of(rule.source) if rule is not None else None
    at_case = Place(case.file, case.line)
    return replace(
        passed,
        status=Status.FAILED,
        message="; ".join(f"expected {one.what} {one.expected}, got {one.actual}" for one in result.mismatches),
        place=place or at_case,
        rule=str(rule) if rule is not None else "",
        subject=_call(case),
        details=tuple(failure(result)),
        related=(("the test", at_case),) if place is not None else (),
        identity=(case.file, case.name),
    )


def broken_result(broken: Broken, file: str) -> Result:
    """A case or file that could not be tested."""
    error = broken.error
    return Result(
        "policy-test-broken",
        broken.name,
        Status.ERROR,
        error.message,
        place=Place(error.file, error.line, error.column),
        group=file,
        details=(str(error),),
    )


def skipped_result(case: Case) -> Result:
    assert case.skip is not None
    return Result(
        "policy-test", case.name, Status.SKIPPED, case.skip, place=Place(case.file, case.line), group=case.file
    )


def failure(result: CaseResult, *, trace: bool = True) -> Iterator[str]:
    """Why a case failed, in lines: the place, the call, expected and actual, the deciding rule, the chain."""
    case, decision = result.case, result.decision
    yield f"test      {case.file}:{case.line}"
    yield f"call      {_call(case)}"
    for one in result.mismatches:
        yield f"expected  {one.what} {one.expected}"
        yield f"got       {one.what} {one.actual}"
    yield f"because   {decision.why}"
    rules = deciding_rules(decision)
    for rule in rules:
        yield f"rule      {rule.text}  ({rule.behavior}, {rule.source})"
    if not rules:
        yield f"rule      none: stage {decision.stage} decided"
    yield from _missed(result)
    yield f"mode      {result.mode} ({result.mode_why})"
    if trace:
        for number, entry in enumerate(decision.trace):
            yield f"{'chain' if number == 0 else '':9} {entry.stage:8} {entry.behavior or '-':7} {entry.note}"


def _call(case: Case) -> str:
    """The call, as one would put it to `toolaudit check`."""
    command = case.call.input.get("command")
    if case.call.tool == "Bash" and isinstance(command, str):
        return command
    return f"{case.call.tool} {json.dumps(dict(case.call.input), ensure_ascii=False)}"


def _missed(result: CaseResult) -> Iterator[str]:
    """The rule that was to decide, where the policy has it or one like it, and why it did not."""
    wanted = result.case.expected.rule
    policy = result.case.policy
    for rule, why in policy.ignored:
        if rule.text == wanted:
            yield f"ignored   {rule.text}  ({rule.behavior}, {rule.source}): {why}"
            return
    like = _like(result)
    if like is None:
        if isinstance(wanted, str) and all(rule.text != wanted for rule in policy.rules):
            yield f"missing   {wanted} is no rule of the policy"
        return
    if isinstance(wanted, str) and like.text != wanted:
        yield f"missing   {wanted} is no rule of the policy; the most like it is"
    elif like in deciding_rules(result.decision):
        return
    yield f"compare   {like.text}  ({like.behavior}, {like.source})"


def _at_fault(result: CaseResult) -> Rule | None:
    """The rule to look at first: the one most like a rule that is missing, or else the one that decided."""
    wanted, rules = result.case.expected.rule, deciding_rules(result.decision)
    missing = isinstance(wanted, str) and all(rule.text != wanted for rule in result.case.policy.rules)
    like = _like(result) if missing or not rules else None
    return like or next(iter(rules), None)


def _like(result: CaseResult) -> Rule | None:
    """The rule most like the one that was expected, or that could have given the expected decision for this call."""
    expected, policy = result.case.expected, result.case.policy
    rules = policy.rules[:_MOST_COMPARED]
    if isinstance(expected.rule, str):
        wanted = expected.rule
    elif isinstance(expected.rule, Unset) and expected.decisions:
        rules = tuple(rule for rule in rules if rule.behavior in expected.decisions)
        rules = tuple(rule for rule in rules if governs(rule, result.case.call.tool))
        wanted = f"{result.case.call.tool}({subject(result.case.call).removeprefix(result.case.call.tool + ' ')})"
    else:
        return None
    scored = [(SequenceMatcher(None, wanted[:200], rule.text[:200]).ratio(), rule) for rule in rules]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= _LIKE else None
