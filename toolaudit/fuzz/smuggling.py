"""Question two: for each allow rule, a command that it lets through and that runs a program no rule granted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from toolaudit.fuzz import rewrites
from toolaudit.fuzz.advisories import advisories
from toolaudit.fuzz.chance import Chance, Dice
from toolaudit.fuzz.discovery import Discovery, Question, decided_by, shortest
from toolaudit.fuzz.facts import Argv, Fact, about, facts
from toolaudit.fuzz.rewrites.command import Command, quote
from toolaudit.fuzz.rewrites.programs import ByProgram
from toolaudit.fuzz.shrinking import shrink
from toolaudit.fuzz.specimens import plain, specimens
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Decision, Rule, Severity

PAYLOADS: tuple[Argv, ...] = (("curl", "https://host.example/x"), ("rm", "-rf", "x"), ("payload", "x"))
"""What is smuggled: the first of them that the policy does not grant anyway."""

CARRIERS = {
    "behind-semicolon": "{s}; {p}",
    "behind-and": "{s} && {p}",
    "behind-or": "{s} || {p}",
    "behind-pipe": "{s} | {p}",
    "before-pipe": "{p} | {s}",
    "behind-background": "{s} & {p}",
    "behind-line": "{s}\n{p}",
    "behind-backslash-line": "{s}\n\\{p}",
    "before-semicolon": "{p}; {s}",
    "substitution": "{s} $({p})",
    "quoted-substitution": '{s} "$({p})"',
    "backticks": "{s} `{p}`",
    "nested-backticks": '{s} "`{p}`"',
    "process-input": "{s} <({p})",
    "process-output": "{s} > >({p})",
    "assignment": "v=$({p}) {s}",
    "default": "{s} ${v:-$({p})}",
    "quoted-default": "{s} \"${v:-'$({p})'}\"",
    "arithmetic": "{s} $(( $({p}) ))",
    "subscript": "{s} ${v[$({p})]}",
    "heredoc": "{s} <<EOF\n$({p})\nEOF\n",
    "heredoc-backticks": "{s} <<EOF\n`{p}`\nEOF\n",
    "here-string": '{s} <<<"$({p})"',
    "redirect-target": "{s} >$({p})",
    "comment-line": "{s} # x\n{p}",
    "quoted-quote": '{s} "\\""; {p}; {s} "\\""',
    "prompt-expansion": "{s} ${a=$}${b=$a({p})}${b@P}",
    "substituted-program": "$({p}) {s}",
    "condition": "{s} && [[ -v 'a[$({p})]' ]]",
    "trap": "trap '{p}' EXIT; {s}",
    "function": "{name}() { {p}; }; {s}",
    "carriage-return": "{s}\r\n{p}",
}
"""Texts with {s}, the granted command, and {p}, the payload."""


@dataclass(slots=True)
class Smuggled:
    """What was found about one allow rule, or with None about what needs no rule."""

    rule: Rule | None
    specimens: list[Argv]
    tried: int = 0
    through: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Commands, with the names of what made them."""


def payload(trial: Trial) -> Argv | None:
    """What the policy does not grant; None where it grants everything."""
    return next((argv for argv in PAYLOADS if not trial.allows(argv)), None)


def search(rule: Rule | None, trial: Trial, examples: int, chance: Chance) -> Iterator[Smuggled]:
    """Puts a payload into and around what the rule grants, then rewrites the result `examples` times.

    With no rule, tries every program of the facts and every advisory: some programs need no permission for what they
    usually do.
    """
    load = payload(trial)
    if load is None:
        return
    found = Smuggled(rule, specimens(rule, trial) if rule is not None else [])
    published = [(row.id, row.command) for row in advisories() if row.command] if rule is None else []
    for name, text in [*_carried(found.specimens, load), *_by_facts(found, load), *published]:
        _try(found, text, (name,), trial)
        yield found
    for _ in range(examples if found.specimens else 0):
        name = chance.choose(tuple(CARRIERS))
        inner = rewrites.rewritten(load, chance)
        text = _fill(CARRIERS[name], plain(chance.choose(found.specimens)), inner.text)
        _try(found, text, (*inner.rewrites, name), trial)
        yield found


def _carried(granted: list[Argv], load: Argv) -> Iterator[tuple[str, str]]:
    for argv in granted:
        for name, carrier in CARRIERS.items():
            yield name, _fill(carrier, plain(argv), plain(load))


def _fill(carrier: str, granted: str, load: str) -> str:
    name = granted.split(" ", 1)[0]
    return carrier.replace("{name}", name).replace("{s}", granted).replace("{p}", load)


def _by_facts(found: Smuggled, load: Argv) -> Iterator[tuple[str, str]]:
    """The program the rule is about, made to start the payload in the ways it has."""
    rows: dict[str, Fact] = {row.id: row for row in facts()} if found.rule is None else {}
    for argv in found.specimens:
        rows |= {row.id: row for row in about(argv[0])}
    for row in rows.values():
        command = ByProgram(row).apply(Command.plain(load), Dice(0))
        if command is not None:
            yield row.id, command.text
            for argv in found.specimens:
                yield row.id, " ".join(map(quote, (*argv, *command.argv[len(argv) :])))
                yield row.id, " ".join(map(quote, (*argv, *command.argv[1:])))


def _try(found: Smuggled, text: str, names: tuple[str, ...], trial: Trial) -> None:
    found.tried += 1
    if smuggled(found.rule, text, trial) is not None:
        found.through.append((text, names))


def smuggled(rule: Rule | None, text: str, trial: Trial) -> Argv | None:
    """The program that `text` gets started though nothing grants it: by way of `rule`, or with None of no rule."""
    decision = trial.decide(text)
    if decision.behavior is not Behavior.ALLOW:
        return None
    used = rules_used(decision)
    if used if rule is None else rule not in used:
        return None
    return ungranted(text, trial, rule)


def ungranted(text: str, trial: Trial, rule: Rule | None = None) -> Argv | None:
    """A program that `text` starts and that, written plainly, would not be allowed.

    With a rule, one that the rule does not name, started by bash itself or by a program that this rule grants.
    """
    named = _names(rule)
    for argv, parent in trial.started(text).items():
        if not argv[0][:1].isalnum() or argv[0] in named or trial.allows(argv) or plain(argv) == text:
            continue
        if rule is None or parent is None or rule in rules_used(trial.decide(plain(parent))):
            return argv
    return None


def rules_used(decision: Decision) -> set[Rule]:
    """The rules that had a say in a decision."""
    return {rule for rule in (decision.rule, *(part.rule for part in decision.subcommands)) if rule is not None}


def _names(rule: Rule | None) -> list[str]:
    """The words that a rule spells out."""
    return [] if rule is None or rule.specifier is None else rule.specifier.removesuffix(":*").split()


def discoveries(found: Smuggled, trial: Trial, attempts: int) -> Iterator[Discovery]:
    """The shortest command, if any got through."""
    if not found.through:
        return
    best, names = min(found.through, key=lambda item: (len(item[1]), len(item[0]), item[0]))
    text = shrink(best, partial(_smuggles, found.rule, _program(found.rule, best, trial), trial), attempts)
    decision = trial.decide(text)
    alone = shortest((names[0], text) for text, names in found.through if len(names) == 1)
    yield Discovery(
        Question.SMUGGLING,
        Severity.ERROR,
        text,
        decision.behavior,
        decided_by(decision),
        found.rule,
        smuggled(found.rule, text, trial),
        names,
        alone,
        findings=decision.findings,
    )


def _program(rule: Rule | None, text: str, trial: Trial) -> str | None:
    argv = smuggled(rule, text, trial)
    return None if argv is None else argv[0]


def _smuggles(rule: Rule | None, program: str | None, trial: Trial, text: str) -> bool:
    """Whether `text` still smuggles the same program: any other would be shorter, and say less."""
    return program is not None and _program(rule, text, trial) == program
