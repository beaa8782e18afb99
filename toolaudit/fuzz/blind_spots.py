"""Question three: which commands are too complex to read, by reason, and what the policy then does with them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from toolaudit import shell
from toolaudit.fuzz import grammar
from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.discovery import Discovery, Question, decided_by
from toolaudit.fuzz.shrinking import shrink
from toolaudit.fuzz.smuggling import ungranted
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Severity


@dataclass(slots=True)
class BlindSpots:
    """Generated commands by what the reader makes of them."""

    read: int = 0
    outcomes: dict[str, Counter[Behavior]] = field(default_factory=lambda: defaultdict(Counter))
    """Reason -> what the policy does -> how often."""
    examples: dict[str, str] = field(default_factory=dict)
    """The shortest command for each reason."""
    through: list[str] = field(default_factory=list)
    """Commands that can't be read, are allowed, and start what nothing grants."""


def search(trial: Trial, examples: int, chance: Chance) -> Iterator[BlindSpots]:
    found = BlindSpots()
    for _ in range(examples):
        text = grammar.script(chance)
        complexity = shell.read(text).complexity
        if complexity is None:
            found.read += 1
        else:
            behavior = trial.decide(text).behavior
            found.outcomes[complexity.reason][behavior] += 1
            known = found.examples.get(complexity.reason)
            if known is None or (len(text), text) < (len(known), known):
                found.examples[complexity.reason] = text
            if behavior is Behavior.ALLOW and ungranted(text, trial) is not None:
                found.through.append(text)
        yield found


def discoveries(found: BlindSpots, trial: Trial, attempts: int) -> Iterator[Discovery]:
    """The shortest unread command that is let through with something nobody granted, for each reason."""
    by_reason: dict[str, str] = {}
    for text in sorted(found.through, key=lambda text: (len(text), text)):
        complexity = shell.read(text).complexity
        if complexity is not None:
            by_reason.setdefault(complexity.reason, text)
    for reason, text in by_reason.items():
        shrunk = shrink(text, partial(_passes_unread, reason, trial), attempts)
        decision = trial.decide(shrunk)
        yield Discovery(
            Question.BLIND_SPOT,
            Severity.ERROR,
            shrunk,
            decision.behavior,
            decided_by(decision),
            decision.rule,
            ungranted(shrunk, trial),
            (),
            note=f"can't be read: {reason}",
            findings=decision.findings,
        )


def _passes_unread(reason: str, trial: Trial, text: str) -> bool:
    complexity = shell.read(text).complexity
    return (
        complexity is not None
        and complexity.reason == reason
        and trial.decide(text).behavior is Behavior.ALLOW
        and ungranted(text, trial) is not None
    )
