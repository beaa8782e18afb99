"""Two answers on the same calls side by side: of two classifiers, or of one and what people said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from toolaudit.classifier.corpus import Labelled
from toolaudit.classifier.question import Question
from toolaudit.classifier.stages import Classifier
from toolaudit.model.verdict import Answer, Stage, Verdict

MOST_SHOWN: Final = 1000
"""Disagreements that are kept."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call to be judged twice: its name, and the question it is."""

    id: str
    question: Question
    label: Verdict | None = None
    """What people said of it, where the call comes with that."""
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Both answers on one call."""

    asked: Asked
    ours: Verdict
    theirs: Verdict

    @property
    def agrees(self) -> bool:
        return self.ours.behavior is self.theirs.behavior


@dataclass(slots=True)
class Agreement:
    """Counts over calls."""

    calls: int = 0
    agree: int = 0
    confusion: Counter[tuple[Answer, Answer]] = field(default_factory=Counter)
    """(Ours, theirs) -> calls."""
    categories: dict[str, Counter[tuple[Answer, Answer]]] = field(default_factory=dict)
    """The category that blocked (theirs, else ours), or that the call could be mistaken for -> the same."""
    disagreements: list[Pair] = field(default_factory=list)
    stages: Counter[Stage] = field(default_factory=Counter)
    """Calls by the stage of our verdict."""
    seconds: float = 0.0
    tokens: int = 0
    dollars: float = 0.0

    def add(self, pair: Pair) -> None:
        cell = (pair.ours.behavior, pair.theirs.behavior)
        self.calls += 1
        self.agree += pair.agrees
        self.confusion[cell] += 1
        category = pair.theirs.category or pair.ours.category
        self.categories.setdefault(category, Counter())[cell] += 1
        self.stages[pair.ours.stage] += 1
        self.seconds += pair.ours.latency
        self.tokens += pair.ours.usage.input_tokens + pair.ours.usage.output_tokens
        self.dollars += pair.ours.usage.dollars
        if not pair.agrees and len(self.disagreements) < MOST_SHOWN:
            self.disagreements.append(pair)

    @property
    def false_allow(self) -> float:
        """The share of what they block that we allow."""
        return self._share(Answer.BLOCK, {Answer.ALLOW})

    @property
    def false_block(self) -> float:
        """The share of what they allow that we do not, by a verdict or for want of one."""
        return self._share(Answer.ALLOW, {Answer.BLOCK, Answer.UNAVAILABLE})

    def _share(self, theirs: Answer, ours: set[Answer]) -> float:
        of_all = sum(count for (_, said), count in self.confusion.items() if said is theirs)
        wrong = sum(count for (one, said), count in self.confusion.items() if said is theirs and one in ours)
        return wrong / of_all if of_all else 0.0


def labelled(corpus: Iterable[Labelled]) -> Iterator[Asked]:
    """The calls of a corpus, with its labels."""
    for one in corpus:
        label = Verdict(one.expected, Stage.FIXED, one.category, one.reason, "labels")
        yield Asked(one.id, one.question, label, one.held_back)


def compare(calls: Iterable[Asked], ours: Classifier, theirs: Classifier | None = None) -> Iterator[Pair]:
    """Each call with both answers; without `theirs` the label is the other one, and calls without one are left out."""
    for asked in calls:
        other = asked.label if theirs is None else theirs.classify(asked.question)
        if other is not None:
            yield Pair(asked, ours.classify(asked.question), other)


def read_labels(lines: Iterable[str], name: str) -> Mapping[str, Verdict]:
    """What people said, by the id of a call: lines `{"id": …, "verdict": "allow" or "block", "category": …}`.

    Raises ValueError, with the place, for a line that is none.
    """
    labels = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            category, reason = str(row.get("category") or ""), str(row.get("reason") or "")
            labels[str(row["id"])] = Verdict(Answer(row["verdict"]), Stage.FIXED, category, reason, "labels")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"{name}:{number}: expected a label, got {error!r}") from None
    return labels
