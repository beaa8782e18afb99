"""A test for each rule: the plainest call that is decided otherwise without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolaudit.analysis.equivalence import proof
from toolaudit.analysis.mutants import Mutant, Operator, mutants
from toolaudit.analysis.mutation import Example, missing_test
from toolaudit.model import Policy, Rule
from toolaudit.model.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Canonical:
    """A rule, and a call that it makes the difference for, or why there is none."""

    rule: Rule
    example: Example | None
    why: str = ""
    """Without an example: the proof that the rule makes no difference; empty where that is not proved either."""


def canonical_cases(policy: Policy, workspace: Workspace) -> Iterator[Canonical]:
    """For each rule in force, in order, a call that shows it at work.

    Complete for dropped rules: a rule without an example can be dropped, by the proof that is given, or it is told that
    neither was found.
    """
    for mutant in mutants(policy):
        if mutant.operator is Operator.DROP:
            assert mutant.rule is not None
            yield _canonical(mutant.rule, mutant, policy, workspace)


def _canonical(rule: Rule, mutant: Mutant, policy: Policy, workspace: Workspace) -> Canonical:
    example = missing_test(mutant, policy, workspace)
    if example is not None:
        return Canonical(rule, example)
    return Canonical(rule, None, proof(mutant, policy, workspace) or "")
