from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from toolaudit.fuzz.facts import Argv
from toolaudit.model import Behavior, Decision, Finding, Rule, Severity


class Question(StrEnum):
    """What was asked of the policy, or of the resolver."""

    EVASION = "evasion"
    """Can what a deny or ask rule forbids be run past it?"""
    SMUGGLING = "smuggling"
    """Can an allow rule be made to run what no rule granted?"""
    BLIND_SPOT = "blind-spot"
    """What becomes of commands that can't be read?"""
    INVARIANT = "invariant"
    """Does the resolver keep the laws that every policy may rely on?"""


@dataclass(frozen=True, slots=True)
class Discovery:
    """One answer nobody wanted: the shortest command found, and why it matters."""

    question: Question
    severity: Severity
    """error: it runs, and nobody is asked; warning: a rule that should deny only asks; note: it is asked about for
    another reason, and would run in bypassPermissions."""
    command: str
    behavior: Behavior
    """What the policy makes of it, in the mode of the search."""
    decided_by: str
    """The rule with its place, or the reason in words."""
    rule: Rule | None
    """The rule that was got past, or that let it through."""
    started: Argv | None
    """The program that should not have been started."""
    rewrites: tuple[str, ...]
    """What makes the command different from a plain one."""
    alone: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Each rewrite that does it alone, with the shortest command it made."""
    note: str = ""
    findings: tuple[Finding, ...] = ()
    """What the decision itself told of, such as a gap of the client that the command goes through."""


def decided_by(decision: Decision) -> str:
    """The deciding rule with file, line and column, or the reason where no rule decided."""
    if decision.rule is not None:
        return f"{decision.rule} ({decision.rule.source})"
    rules = dict.fromkeys(
        f"{outcome.rule} ({outcome.rule.source})"
        for outcome in decision.subcommands
        if outcome.rule is not None and outcome.behavior is decision.behavior
    )
    return "; ".join(rules) or decision.why


def shortest(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The shortest command of each name, in the order the names came up."""
    found: dict[str, str] = {}
    for name, command in named:
        known = found.get(name)
        if known is None or (len(command), command) < (len(known), known):
            found[name] = command
    return found
