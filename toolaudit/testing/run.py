from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toolaudit.model import Behavior, Decision, Mode, Policy, Rule
from toolaudit.pipeline import decide
from toolaudit.settings import effective_mode
from toolaudit.testing.case import Case, Unset


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that was expected of a decision and is not so."""

    what: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case that was decided; it passes where nothing mismatches."""

    case: Case
    mode: Mode
    mode_why: str
    decision: Decision
    mismatches: tuple[Mismatch, ...]

    @property
    def passed(self) -> bool:
        return not self.mismatches


def run(case: Case, policy: Policy | None = None) -> CaseResult:
    """Decide `case` under its own policy, or under `policy` in its place."""
    given = case.policy if policy is None else policy
    mode, why = effective_mode(given, case.mode)
    decision = decide(
        case.call,
        given,
        mode,
        case.workspace,
        hooks=tuple(_stated(case, given)),
        classifier=case.classifier,
        version=case.version,
    )
    return CaseResult(case, mode, why, decision, tuple(_compare(case, decision, given)))


def _stated(case: Case, policy: Policy) -> Iterator[dict[str, Any]]:
    """What the policy's hooks are taken to say. A hook that the policy does not have says nothing."""
    for answer in case.answers:
        for hook in policy.hooks:
            if hook.event == "PreToolUse" and answer.hook in (None, hook.command):
                yield {
                    "event": hook.event,
                    "matcher": hook.matcher,
                    **({} if hook.condition is None else {"if": hook.condition}),
                    **({} if answer.decision is None else {"decision": answer.decision}),
                    **({} if answer.input is None else {"updated_input": answer.input}),
                }


def deciding_rules(decision: Decision) -> tuple[Rule, ...]:
    """The rule that decided; where an allowed call needed several, each of them."""
    found = {} if decision.rule is None else {decision.rule: None}
    if decision.stage == "allow":
        found |= {outcome.rule: None for outcome in decision.subcommands if outcome.rule is not None}
    return tuple(found)


def meets(behavior: Behavior, expected: str) -> bool:
    """Whether a decision is what the word `expected` says: a tool that is taken out of the pool is denied too."""
    return behavior == expected or (behavior is Behavior.REMOVED and expected == "deny")


def _compare(case: Case, decision: Decision, policy: Policy) -> Iterator[Mismatch]:
    expected = case.expected
    if expected.decisions and not any(meets(decision.behavior, word) for word in expected.decisions):
        yield Mismatch("decision", " or ".join(expected.decisions), decision.behavior)
    if expected.stage is not None and decision.stage != expected.stage:
        yield Mismatch("stage", expected.stage, decision.stage)
    if expected.reason is not None and decision.reason_type != expected.reason:
        yield Mismatch("reason", expected.reason, decision.reason_type or "none")
    rules = deciding_rules(decision)
    if not isinstance(expected.rule, Unset):
        texts = [rule.text for rule in rules]
        if (expected.rule is None and texts) or (expected.rule is not None and expected.rule not in texts):
            yield Mismatch("rule", expected.rule or "none", ", ".join(texts) or "none")
    if expected.source is not None and not any(_stands(rule, expected.source) for rule in rules):
        yield Mismatch("source", expected.source, ", ".join(str(rule.source) for rule in rules) or "none")
    reported = [finding.id for finding in (*decision.findings, *policy.findings)]
    for finding in expected.findings:
        if finding not in reported:
            yield Mismatch("finding", finding, ", ".join(dict.fromkeys(reported)) or "none")


def _stands(rule: Rule, wanted: str) -> bool:
    """Whether `rule` stands where `wanted` says: a scope, a file by its name or path, or `file:line`."""
    source = rule.source
    if wanted == source.scope:
        return True
    if source.file is None:
        return False
    name, _, line = wanted.rpartition(":")
    if name and line.isdecimal():
        return str(source.line) == line and _ends(source.file, name)
    return _ends(source.file, wanted)


def _ends(file: str, name: str) -> bool:
    name = posixpath.normpath(name)
    return file == name or file.endswith(f"/{name.lstrip('/')}")
