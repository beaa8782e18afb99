"""Which rules, stages and modes of a policy were put to use: by tests, by recorded sessions, or by both.

A rule is used where it decides a call, or settles a part of one. Coverage adds up: over cases, processes and runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from toolaudit.model import Decision, Mode, Policy, Rule, Scope, Source
from toolaudit.model.behavior import Behavior
from toolaudit.permissions.chain import CHAIN
from toolaudit.replay import Report

SCHEMA: Final = "toolaudit/coverage/v1"

STAGES: Final = ("lookup", "meaning", *(name for name, _ in CHAIN))
"""The stages at which rules, modes and hooks may settle a call."""


class Origin(StrEnum):
    """Where a use was seen."""

    TESTS = "tests"
    TRANSCRIPTS = "transcripts"


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """How often one rule was used, by origin."""

    rule: Rule
    decided: Mapping[Origin, int]
    in_parts: Mapping[Origin, int]
    """Times it settled a part without deciding the whole."""

    @property
    def covered(self) -> bool:
        return bool(sum(self.decided.values()) + sum(self.in_parts.values()))


class Coverage:
    """Uses, as they add up."""

    def __init__(self) -> None:
        self._rules: dict[Rule, None] = {}
        self._decided: Counter[tuple[Rule, Origin]] = Counter()
        self._in_parts: Counter[tuple[Rule, Origin]] = Counter()
        self._stages: Counter[tuple[str, Origin]] = Counter()
        self._modes: Counter[tuple[str, Origin]] = Counter()

    def expect(self, policy: Policy) -> None:
        """Count the rules in force of `policy` among those that should be used."""
        self._rules |= dict.fromkeys(map(_rootless, policy.rules))

    def add(self, decision: Decision, mode: Mode, origin: Origin = Origin.TESTS) -> None:
        """Count what `decision` used."""
        self._stages[decision.stage, origin] += 1
        self._modes[mode, origin] += 1
        if decision.rule is not None:
            self._decided[_rootless(decision.rule), origin] += 1
        parts = {outcome.rule for outcome in decision.subcommands if outcome.rule is not None} - {decision.rule}
        for rule in parts:
            self._in_parts[_rootless(rule), origin] += 1

    def add_replay(self, report: Report) -> None:
        """Count what a replay used, and the rules it had in force."""
        for use in report.rules:
            rule = _rootless(use.rule)
            self._rules[rule] = None
            self._decided[rule, Origin.TRANSCRIPTS] += use.decided
            self._in_parts[rule, Origin.TRANSCRIPTS] += use.in_parts
        self._rules |= dict.fromkeys(map(_rootless, report.unused))
        for stage, counts in report.stages.items():
            self._stages[stage, Origin.TRANSCRIPTS] += sum(counts.values())
        for mode, counts in report.modes.items():
            self._modes[mode, Origin.TRANSCRIPTS] += sum(counts.values())

    def merge(self, other: Coverage) -> None:
        """Count what `other` counted, too."""
        self._rules |= other._rules
        for own, theirs in zip(self._counters(), other._counters(), strict=True):
            own.update(theirs)

    def _counters(self) -> tuple[Counter[Any], ...]:
        return self._decided, self._in_parts, self._stages, self._modes

    def rules(self) -> tuple[RuleCoverage, ...]:
        """Every rule in force, used or not, in the order of the settings."""

        def by_origin(counter: Counter[tuple[Rule, Origin]], rule: Rule) -> dict[Origin, int]:
            return {origin: counter[rule, origin] for origin in Origin if counter[rule, origin]}

        return tuple(
            RuleCoverage(rule, by_origin(self._decided, rule), by_origin(self._in_parts, rule))
            for rule in sorted(self._rules, key=_order)
        )

    def percent(self) -> float:
        """The share of the rules in force that were used, 0 to 100; 100 where there are none."""
        rules = self.rules()
        return 100 * sum(rule.covered for rule in rules) / len(rules) if rules else 100.0

    def stages(self) -> Mapping[str, int]:
        """Stage -> calls settled there; those that settled none too."""
        return self._told(self._stages, STAGES)

    def modes(self) -> Mapping[str, int]:
        """Mode -> calls decided in it; those without any too."""
        return self._told(self._modes, [mode for mode in Mode if mode is not Mode.BUBBLE])

    def _told(self, counter: Counter[tuple[str, Origin]], names: Iterable[str]) -> dict[str, int]:
        found = Counter(dict.fromkeys(names, 0))
        for (name, _), count in counter.items():
            found[str(name)] += count
        return {str(name): count for name, count in found.items()}

    def data(self) -> dict[str, Any]:
        """All of it as JSON values, from which `read` makes it again."""
        return {
            "schema": SCHEMA,
            "percent": round(self.percent(), 2),
            "rules": [
                {
                    **_rule_data(one.rule),
                    "decided": {str(origin): count for origin, count in one.decided.items()},
                    "in_parts": {str(origin): count for origin, count in one.in_parts.items()},
                }
                for one in self.rules()
            ],
            "stages": list(_counted("stage", self._stages)),
            "modes": list(_counted("mode", self._modes)),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Coverage:
        """The coverage that `data` was made from. Raises ValueError for data of another kind."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            raise ValueError(f"expected coverage of schema {SCHEMA}")
        found = cls()
        try:
            for row in data["rules"]:
                rule = _rule(row)
                found._rules[rule] = None
                for origin in Origin:
                    found._decided[rule, origin] += row["decided"].get(origin, 0)
                    found._in_parts[rule, origin] += row["in_parts"].get(origin, 0)
            for name, counter in (("stage", found._stages), ("mode", found._modes)):
                for row in data[f"{name}s"]:
                    counter[row[name], Origin(row["origin"])] += row["calls"]
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"expected coverage of schema {SCHEMA}, got an odd {error}") from None
        return found


def _rootless(rule: Rule) -> Rule:
    """The rule as the file has it: what its paths are relative to differs from session to session."""
    return rule if not rule.root else Rule(rule.behavior, rule.text, rule.tool, rule.specifier, rule.source, "")


def _order(rule: Rule) -> tuple[object, ...]:
    source = rule.source
    return list(Scope).index(source.scope), source.file or "", source.line or 0, source.column or 0, rule.text


def _counted(name: str, counter: Counter[tuple[str, Origin]]) -> Iterator[dict[str, Any]]:
    for (key, origin), calls in sorted(counter.items()):
        yield {name: str(key), "origin": str(origin), "calls": calls}


def _rule_data(rule: Rule) -> dict[str, Any]:
    source = rule.source
    return {
        "behavior": str(rule.behavior),
        "rule": rule.text,
        "tool": rule.tool,
        "specifier": rule.specifier,
        "scope": str(source.scope),
        "file": source.file,
        "line": source.line,
        "column": source.column,
    }


def _rule(row: Mapping[str, Any]) -> Rule:
    source = Source(Scope(row["scope"]), row["file"], row["line"], row["column"])
    return Rule(Behavior(row["behavior"]), row["rule"], row["tool"], row["specifier"], source, "")
