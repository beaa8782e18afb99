"""Laws of the resolver that hold for every policy and every command; a command that breaks one is a discovery."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolaudit.fuzz import grammar, rewrites
from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.discovery import Discovery, Question, decided_by
from toolaudit.fuzz.shrinking import shrink
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Policy, Rule, Scope, Severity, Source
from toolaudit.rules.grammar import parse
from toolaudit.structs import replace

STRICTNESS = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2, Behavior.REMOVED: 2, Behavior.INVALID: 2}

ADDED = ("Bash(ls *)", "Bash(git *)", "Bash(rm *)", "Bash(id)", "Bash(cat:*)", "Bash(* x*)", "Read(./a)", "Edit(f)")
"""Rules that are put into a policy on trial."""

HARMLESS = ("leading-blank", "trailing-blank", "double-blanks", "output-to-null", "errors-to-null", "timeout", "nice")
"""Rewrites that must not make a decision milder."""

COMMANDS = (("git", "push"), ("rm", "-rf", "x"), ("ls", "a"), ("cat", ".env"), ("npm", "test"), ("id",), ("git", "log"))

Law = Callable[[str, Trial, int], str | None]
"""Takes a command, the policy on trial and a number that picks a variant; says what is broken, or None."""


def _strictness(behavior: Behavior) -> int:
    return STRICTNESS[behavior]


def more_deny_is_no_milder(command: str, trial: Trial, variant: int) -> str | None:
    """Adding a deny rule never turns a deny or an ask into an allow."""
    rule = ADDED[variant % len(ADDED)]
    before = trial.decide(command).behavior
    after = trial.decide(command, _with(trial.policy, rule, Behavior.DENY)).behavior
    if after is Behavior.ALLOW and before is not Behavior.ALLOW:
        return f"deny {rule} turns {before} into allow"
    return None


def more_allow_is_no_stricter(command: str, trial: Trial, variant: int) -> str | None:
    """Adding an allow rule never makes a decision stricter."""
    rule = ADDED[variant % len(ADDED)]
    before = trial.decide(command).behavior
    after = trial.decide(command, _with(trial.policy, rule, Behavior.ALLOW)).behavior
    return f"allow {rule} turns {before} into {after}" if _strictness(after) > _strictness(before) else None


def order_is_nothing(command: str, trial: Trial, variant: int) -> str | None:
    """The order of rules within a list never matters, but for exceptions that start with !."""
    rules = trial.policy.rules
    if any((rule.specifier or "").startswith("!") for rule in rules):
        return None
    cut = variant % len(rules) if rules else 0
    ranked = sorted((*rules[cut:], *rules[:cut]), key=lambda rule: list(Scope).index(rule.source.scope))
    before, after = trial.decide(command), trial.decide(command, replace(trial.policy, rules=tuple(ranked)))
    return f"another order turns {before.behavior} into {after.behavior}" if before.behavior != after.behavior else None


def the_same_again(command: str, trial: Trial, variant: int) -> str | None:
    """A decision is the same each time."""
    return None if trial.decide(command) == trial.decide(command) else "the second decision differs"


LAWS: tuple[Law, ...] = (more_deny_is_no_milder, more_allow_is_no_stricter, order_is_nothing, the_same_again)


def search(trial: Trial, examples: int, chance: Chance) -> Iterator[list[Discovery]]:
    """Holds generated commands to each law, and rewritten ones to the law that a harmless change widens nothing."""
    found: dict[str, Discovery] = {}
    for number in range(examples):
        if number % 2:
            _widening(found, trial, chance)
        else:
            text = grammar.script(chance)
            for law in LAWS:
                if law.__name__ not in found and law(text, trial, number) is not None:
                    found[law.__name__] = _broken(law, text, trial, number)
        yield list(found.values())


def _broken(law: Law, text: str, trial: Trial, variant: int) -> Discovery:
    shrunk = shrink(text, lambda text: law(text, trial, variant) is not None, attempts=300)
    said = law(shrunk, trial, variant) or ""
    name = law.__name__.replace("_", " ")
    return _discovery(shrunk, trial, f"{name}: {said}", ())


def _widening(found: dict[str, Discovery], trial: Trial, chance: Chance) -> None:
    plain = rewrites.rewrite(chance.choose(COMMANDS), (), chance)
    changed = rewrites.rewrite(plain.target, (chance.choose(HARMLESS),), chance)
    if not changed.rewrites or changed.rewrites[0] in found:
        return
    before, after = trial.decide(plain.text).behavior, trial.decide(changed.text).behavior
    if _strictness(after) < _strictness(before):
        note = f"a harmless change is no milder: {plain.text} is {before}, this is {after}"
        found[changed.rewrites[0]] = _discovery(changed.text, trial, note, changed.rewrites)


def _discovery(text: str, trial: Trial, note: str, names: tuple[str, ...]) -> Discovery:
    decision = trial.decide(text)
    return Discovery(
        Question.INVARIANT,
        Severity.ERROR,
        text,
        decision.behavior,
        decided_by(decision),
        decision.rule,
        None,
        names,
        note=note,
    )


def _with(policy: Policy, text: str, behavior: Behavior) -> Policy:
    rule: Rule = parse(text, behavior, Source(Scope.CLI), "/")
    return replace(policy, rules=(rule, *policy.rules))
