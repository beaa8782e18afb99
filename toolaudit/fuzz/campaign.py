"""All questions put to one policy, in turn, within a number of examples and a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolaudit.fuzz import blind_spots, evasion, invariants, rewrites, smuggling
from toolaudit.fuzz.blind_spots import BlindSpots
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.discovery import Discovery
from toolaudit.fuzz.evasion import Evasions
from toolaudit.fuzz.smuggling import CARRIERS, Smuggled
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Rule

SHRINKING = 400
"""Attempts to make a command shorter; each costs a decision and a run or two."""


@dataclass(slots=True)
class Campaign:
    """What a search through a policy has found so far; it can be stopped at any time."""

    trial: Trial
    seed: int
    evasions: list[Evasions] = field(default_factory=list)
    smuggled: list[Smuggled] = field(default_factory=list)
    blind_spots: BlindSpots = field(default_factory=BlindSpots)
    broken: list[Discovery] = field(default_factory=list)

    def run(self, examples: int, seconds: float | None = None) -> Iterator[int]:
        """Searches until done or out of time; yields the number of tries after each step."""
        deadline = time.monotonic() + (seconds if seconds is not None else float("inf"))
        for search in self._searches(examples):
            for _ in search:
                yield 1
                if time.monotonic() > deadline:
                    return

    def discoveries(self, attempts: int = SHRINKING) -> list[Discovery]:
        """Everything found, most severe first; each command shrunk with so many `attempts`, or with 0 as found."""
        trial = self.trial
        found = [discovery for item in self.evasions for discovery in evasion.discoveries(item, trial, attempts)]
        found += [discovery for item in self.smuggled for discovery in smuggling.discoveries(item, trial, attempts)]
        found += blind_spots.discoveries(self.blind_spots, trial, attempts)
        found += self.broken
        order = ("error", "warning", "note")
        return sorted(found, key=lambda discovery: (order.index(discovery.severity), discovery.question))

    def unsearched(self) -> list[Rule]:
        """Rules about commands that decide none this could think of: they are dead, or others come first."""
        idle = [item.rule for item in self.evasions if not item.specimens]
        return idle + [item.rule for item in self.smuggled if item.rule is not None and not item.specimens]

    def steps(self, examples: int) -> int:
        """About how many steps `run` will take."""
        stopping, granting = self._stopping(), self._granting()
        return len(rewrites.ALL) * (len(stopping) + 1) + 3 * len(CARRIERS) * len(granting) + examples

    def _stopping(self) -> list[Rule]:
        rules = self.trial.policy.rules
        return [rule for rule in rules if rule.behavior is not Behavior.ALLOW and _is_about_commands(rule)]

    def _granting(self) -> list[Rule]:
        rules = self.trial.policy.rules
        return [rule for rule in rules if rule.behavior is Behavior.ALLOW and rule.tool == "Bash" and rule.specifier]

    def _searches(self, examples: int) -> Iterator[Iterator[object]]:
        """The searches, none of which begins before it is asked for its first step."""
        stopping, granting = self._stopping(), self._granting()
        share = max(1, examples // (4 * max(1, len(stopping))))
        for rule in stopping:
            yield self._evade(rule, share)
        share = max(1, examples // (4 * max(1, len(granting))))
        for granted in (*granting, None):
            yield self._smuggle(granted, share)
        yield self._look(examples // 4)
        yield self._hold_to_laws(examples // 4)

    def _evade(self, rule: Rule, examples: int) -> Iterator[object]:
        for found in evasion.search(rule, self.trial, examples, Dice(f"evasion {self.seed} {rule}")):
            if not self.evasions or self.evasions[-1] is not found:
                self.evasions.append(found)
            yield found

    def _smuggle(self, rule: Rule | None, examples: int) -> Iterator[object]:
        for found in smuggling.search(rule, self.trial, examples, Dice(f"smuggling {self.seed} {rule}")):
            if not self.smuggled or self.smuggled[-1] is not found:
                self.smuggled.append(found)
            yield found

    def _look(self, examples: int) -> Iterator[object]:
        for found in blind_spots.search(self.trial, examples, Dice(f"blind spots {self.seed}")):
            self.blind_spots = found
            yield found

    def _hold_to_laws(self, examples: int) -> Iterator[object]:
        for found in invariants.search(self.trial, examples, Dice(f"invariants {self.seed}")):
            self.broken = found
            yield found


def _is_about_commands(rule: Rule) -> bool:
    return rule.tool in ("Bash", "Read", "Edit") and rule.specifier is not None
