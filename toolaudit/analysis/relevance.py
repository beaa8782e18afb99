"""Which cases a rule can matter for, so that a changed rule is tried on those only.

A case is asked about many rules at once, and about fewer only where those make a difference: by halves, a few dozen
decisions for a case instead of one for each rule. A difference is looked for in three ways: the rules alone, as deny
rules, which see the most of a call; the policy without them; and the policy with them to allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from toolaudit.model import Behavior, Decision, Policy, Rule
from toolaudit.rules import grammar
from toolaudit.structs import replace

Decide = Callable[[int, Policy], Decision]
"""The decision of a case, by its number, under a policy in place of its own."""


Form = tuple[str, str | None, str]
"""What a rule covers, whatever it does with it: the tool, the specifier, and where its paths start."""


def form(rule: Rule) -> Form:
    return rule.tool, rule.specifier, rule.root


def relevant(rules: Iterable[Rule], cases: Sequence[int], policy: Policy, decide: Decide) -> dict[Form, list[int]]:
    """The form of a rule -> the cases whose decision it can have a part in, by whatever behaviour.

    `rules` may be those of `policy` and others.

    INVARIANT: `cases` share `policy`; a rule that is left out for a case matches nothing of its call.
    """
    nothing = replace(policy, rules=())
    bare = {case: _told(decide(case, nothing)) for case in cases}
    usual = {case: _told(decide(case, policy)) for case in cases}
    forms = tuple({form(rule): rule for rule in rules}.values())
    found: dict[Form, list[int]] = {form(rule): [] for rule in forms}

    def search(some: Sequence[Rule], left: Sequence[int]) -> None:
        alone, without, allowed = _probes(some, policy)
        touched = [
            case
            for case in left
            if _told(decide(case, alone)) != bare[case]
            or (without is not None and _told(decide(case, without)) != usual[case])
            or _told(decide(case, allowed)) != usual[case]
        ]
        if not touched:
            return
        if len(some) == 1:
            found[form(some[0])] += touched
            return
        half = len(some) // 2
        search(some[:half], touched)
        search(some[half:], touched)

    if forms and cases:
        search(forms, cases)
    return found


def _probes(some: Sequence[Rule], policy: Policy) -> tuple[Policy, Policy | None, Policy]:
    chosen = set(map(form, some))
    denying = tuple(replace(rule, behavior=Behavior.DENY) for rule in some)
    allowing = tuple(one for rule in some if not grammar.dead(one := replace(rule, behavior=Behavior.ALLOW)))
    rest = tuple(rule for rule in policy.rules if form(rule) not in chosen)
    return (
        replace(policy, rules=denying),
        replace(policy, rules=rest) if len(rest) < len(policy.rules) else None,
        replace(policy, rules=(*rest, *allowing)),
    )


def _told(decision: Decision) -> tuple[Any, ...]:
    """What a decision says, but for its trace, which counts rules."""
    return decision.behavior, decision.stage, decision.reason_type, decision.why, decision.rule, decision.subcommands
