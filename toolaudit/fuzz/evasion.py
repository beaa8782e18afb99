"""Question one: for each deny and ask rule, a command that really runs what the rule forbids and is not stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from toolaudit.fuzz import rewrites
from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.discovery import Discovery, Question, decided_by, shortest
from toolaudit.fuzz.facts import Argv
from toolaudit.fuzz.meaning import canonical
from toolaudit.fuzz.rewrites.arguments import global_options
from toolaudit.fuzz.rewrites.command import Command
from toolaudit.fuzz.shrinking import shrink
from toolaudit.fuzz.specimens import plain, specimens
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Mode, Rule, Severity

_STOPPED = frozenset((Behavior.DENY, Behavior.REMOVED, Behavior.INVALID))


@dataclass(slots=True)
class Evasions:
    """What was found about one rule."""

    rule: Rule
    specimens: list[Argv]
    tried: int = 0
    past: dict[Severity, list[Command]] = field(default_factory=lambda: defaultdict(list))


def search(rule: Rule, trial: Trial, examples: int, chance: Chance) -> Iterator[Evasions]:
    """Tries each rewrite alone on what the rule forbids, each option before its subcommand, then `examples`
    combinations; yields after each try, the options together."""
    found = Evasions(rule, specimens(rule, trial))
    singles = ([name] for name in rewrites.ALL)
    for names in singles:
        for specimen in found.specimens:
            _try(found, rewrites.rewrite(specimen, names, chance), trial)
        yield found
    for specimen in found.specimens:
        for command in global_options(specimen):
            _try(found, command, trial)
    yield found
    for _ in range(examples if found.specimens else 0):
        _try(found, rewrites.rewritten(chance.choose(found.specimens), chance), trial)
        yield found


def _try(found: Evasions, command: Command, trial: Trial) -> None:
    if not command.rewrites:
        return
    found.tried += 1
    severity = passes(found.rule, command.text, trial)
    if severity is not None and runs_forbidden(found.rule, found.specimens, command.text, trial):
        found.past[severity].append(command)


def passes(rule: Rule, text: str, trial: Trial) -> Severity | None:
    """How far `text` gets past a rule of this kind; None: it is stopped."""
    decision = trial.decide(text)
    if decision.behavior in _STOPPED:
        return None
    if decision.behavior is Behavior.ALLOW:
        return Severity.ERROR
    if rule.behavior is Behavior.DENY:
        return Severity.WARNING
    if decision.stage == "ask" or trial.decide(text, mode=Mode.BYPASS).behavior is not Behavior.ALLOW:
        return None
    return Severity.NOTE


def runs_forbidden(rule: Rule, forbidden: list[Argv], text: str, trial: Trial) -> Argv | None:
    """The program started by `text` that the rule forbids: one that means what a specimen means, or that the rule
    stops when it is written plainly."""
    meanings = {canonical(argv) for argv in forbidden}
    for argv in trial.started(text):
        if canonical(argv) in meanings:
            return argv
        decision = trial.decide(plain(argv))
        if decision.behavior is rule.behavior and decision.rule == rule and plain(argv) != text:
            return argv
    return None


def _gets_past(found: Evasions, severity: Severity, trial: Trial, text: str) -> bool:
    if passes(found.rule, text, trial) is not severity:
        return False
    return runs_forbidden(found.rule, found.specimens, text, trial) is not None


def discoveries(found: Evasions, trial: Trial, attempts: int) -> Iterator[Discovery]:
    """One for each degree to which the rule was got past, with the shortest command that does it."""
    for severity, commands in found.past.items():
        best = min(commands, key=lambda command: (len(command.rewrites), len(command.text), command.text))
        text = shrink(best.text, partial(_gets_past, found, severity, trial), attempts)
        decision = trial.decide(text)
        alone = shortest((command.rewrites[0], command.text) for command in commands if len(command.rewrites) == 1)
        yield Discovery(
            Question.EVASION,
            severity,
            text,
            decision.behavior,
            decided_by(decision),
            found.rule,
            runs_forbidden(found.rule, found.specimens, text, trial),
            best.rewrites,
            alone,
            findings=decision.findings,
        )
