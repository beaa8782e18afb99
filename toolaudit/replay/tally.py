from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

from toolaudit.model import Behavior, Mode, Policy, Rule
from toolaudit.replay.classified import ClassifierTally
from toolaudit.replay.grouping import Grouping
from toolaudit.replay.record import Change, Record
from toolaudit.replay.report import Damage, Report, RuleUse
from toolaudit.replay.truth import Score, Truth, TruthCount, score, truth
from toolaudit.transcripts import INPUT_FAILED, FileRead, Grounds, Problem, RecordedOutcome, Trouble
from toolaudit.transcripts.ids import IdSet

Key = TypeVar("Key", bound=str)

_MOST_KINDS = 1000
_PROBLEMS_SHOWN = 100
_FURTHER = "(further names)"

_TOLD = (Change.NOW_ALLOWED, Change.NOW_DENIED, Change.NOW_ASKED, Change.CLASSIFIED)


class Tally:
    """Counts records, files and problems as they pass, in memory that does not grow with their number."""

    def __init__(self) -> None:
        self._calls = self._sidechain = self._modes_recorded = 0
        self._files = self._lines = self._found = 0
        self._sessions = IdSet()
        self._strangers: Counter[str] = Counter()
        self._formats: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._behaviors: Counter[Behavior] = Counter()
        self._stages: dict[str, Counter[Behavior]] = defaultdict(Counter)
        self._tools: dict[str, Counter[Behavior]] = defaultdict(Counter)
        self._modes: dict[Mode, Counter[Behavior]] = defaultdict(Counter)
        self._outcomes: Counter[RecordedOutcome] = Counter()
        self._grounds: Counter[Grounds] = Counter()
        self._changes: Counter[Change] = Counter()
        self._truths: Counter[tuple[Truth, Score]] = Counter()
        self._markers: Counter[tuple[Truth, Grounds, str]] = Counter()
        self._groups = {change: Grouping() for change in _TOLD}
        self._classifier = ClassifierTally()
        self._rules: dict[Hashable, RuleUse] = {}
        self._complexities: dict[str, Counter[Behavior]] = defaultdict(Counter)
        self._findings: Counter[tuple[str, str]] = Counter()
        self._troubles: Counter[Trouble] = Counter()
        self._problems: dict[Trouble, list[Problem]] = defaultdict(list)

    def add(self, event: Record | FileRead | Problem) -> None:
        """Count one event."""
        if isinstance(event, Record):
            self._record(event)
        elif isinstance(event, FileRead):
            self._files += 1
            self._lines += event.lines
            self._found += event.calls
            self._formats[event.format][0] += 1
            self._formats[event.format][1] += event.calls
        else:
            self._troubles[event.trouble] += 1
            if len(self._problems[event.trouble]) < _PROBLEMS_SHOWN:
                self._problems[event.trouble].append(event)

    def _record(self, record: Record) -> None:
        recorded, decision = record.recorded, record.decision
        behavior = decision.behavior
        self._calls += 1
        self._sidechain += recorded.sidechain
        self._modes_recorded += record.mode_recorded
        self._sessions.add(recorded.session)
        self._outcomes[recorded.outcome] += 1
        self._grounds[recorded.evidence.grounds] += 1
        self._changes[record.change] += 1
        if not recorded.counterpart:
            self._strangers[_bounded(f"{recorded.agent} {recorded.name}", self._strangers)] += 1
            return
        said = truth(recorded)
        self._truths[said, score(said, decision)] += 1
        marker = (said, recorded.evidence.grounds, recorded.evidence.marker)
        if marker not in self._markers and len(self._markers) >= _MOST_KINDS:
            marker = (*marker[:2], _FURTHER)
        self._markers[marker] += 1
        self._behaviors[behavior] += 1
        self._stages[decision.stage][behavior] += 1
        self._tools[_bounded(recorded.call.tool, self._tools)][behavior] += 1
        self._modes[record.mode][behavior] += 1
        if record.change in _TOLD:
            self._groups[record.change].add(record)
        self._classifier.add(record)
        if record.complexity is not None:
            self._complexities[_bounded(record.complexity, self._complexities)][behavior] += 1
        for finding in decision.findings:
            key = (finding.id, finding.message)
            if key in self._findings or len(self._findings) < _MOST_KINDS:
                self._findings[key] += 1
        in_parts = {outcome.rule for outcome in decision.subcommands if outcome.rule is not None} - {decision.rule}
        if decision.rule is not None:
            self._use(decision.rule, decided=1)
        for rule in in_parts:
            self._use(rule, in_parts=1)

    def _scored(self) -> Iterator[TruthCount]:
        for said in Truth:
            scores = {one: self._truths[said, one] for one in Score if self._truths[said, one]}
            markers = {key[1:]: count for key, count in self._markers.most_common() if key[0] is said}
            if scores:
                yield TruthCount(said, scores, markers)

    def _use(self, rule: Rule, *, decided: int = 0, in_parts: int = 0) -> None:
        # The same rule has another root in another project; its text and its place in a file make it the same.
        key = (rule.behavior, rule.text, rule.source)
        known = self._rules.get(key) or RuleUse(rule, 0, 0)
        self._rules[key] = RuleUse(known.rule, known.decided + decided, known.in_parts + in_parts)

    def report(self, policy: Policy) -> Report:
        """The counts so far; `policy` tells which rules there are besides those that were used."""
        return Report(
            calls=self._calls,
            copies=self._found - self._calls,
            files=self._files,
            lines=self._lines,
            sessions=len(self._sessions),
            sidechain_calls=self._sidechain,
            strangers=dict(self._strangers.most_common()),
            formats={name: (files, calls) for name, (files, calls) in sorted(self._formats.items())},
            behaviors=self._behaviors,
            stages=self._stages,
            tools=_by_size(self._tools),
            modes=_by_size(self._modes),
            modes_recorded=self._modes_recorded,
            outcomes=dict(self._outcomes.most_common()),
            grounds=dict(self._grounds.most_common()),
            truths=tuple(self._scored()),
            changes={change: self._groups[change].result() for change in _TOLD},
            change_counts={change: self._changes[change] for change in Change},
            rules=tuple(sorted(self._rules.values(), key=lambda use: (-use.decided, -use.in_parts, str(use.rule)))),
            unused=tuple(rule for rule in policy.rules if (rule.behavior, rule.text, rule.source) not in self._rules),
            ignored=policy.ignored,
            complexities=_by_size(self._complexities),
            findings=dict(self._findings.most_common()),
            policy_findings=policy.findings,
            troubles=tuple(
                Damage(trouble, count, tuple(self._problems[trouble]))
                for trouble, count in self._troubles.most_common()
            ),
            input_failed=not INPUT_FAILED.isdisjoint(self._troubles),
            classifier=self._classifier.report(),
        )


def _by_size(counted: Mapping[Key, Counter[Behavior]]) -> dict[Key, Counter[Behavior]]:
    return dict(sorted(counted.items(), key=lambda item: (-item[1].total(), item[0])))


def _bounded(name: str, counted: Mapping[str, object]) -> str:
    """The name to count under: its own, unless there are already too many names for one more."""
    return name if name in counted or len(counted) < _MOST_KINDS else _FURTHER
