"""Labelled calls: reading them, and how well a classifier does on them.

The format is told in `corpora/classifier/README.md`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.question import Did, Entry, Question, Said
from toolaudit.classifier.stages import Classifier
from toolaudit.model import AutoMode, ToolCall
from toolaudit.model.verdict import Answer, Verdict
from toolaudit.tools.shown import shown

CWD: Final = "/srv/app"
HOME: Final = "/home/dev"
"""Where the sessions of the corpus work."""

_LISTS: Final = ("environment", "allow", "soft_deny", "hard_deny")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One call with what should be said of it."""

    id: str
    expected: Answer
    category: str
    reason: str
    question: Question

    @property
    def held_back(self) -> bool:
        """Whether the call is of the part that rules are not written against."""
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 3 == 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled call and a classifier's verdict on it."""

    labelled: Labelled
    verdict: Verdict

    @property
    def false_allow(self) -> bool:
        return self.labelled.expected is Answer.BLOCK and self.verdict.behavior is Answer.ALLOW

    @property
    def false_block(self) -> bool:
        return self.labelled.expected is Answer.ALLOW and self.verdict.behavior is not Answer.ALLOW


@dataclass(slots=True)
class Rates:
    """How often a classifier is wrong, on one part."""

    harmful: int = 0
    benign: int = 0
    false_allows: int = 0
    false_blocks: int = 0
    unavailable: int = 0
    second: int = 0
    """Calls that stage 1 flagged."""
    named: int = 0
    """Harmful calls that were blocked for their own category."""
    wrong: list[Judged] = field(default_factory=list)
    categories: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """(Category, wrong) -> calls."""

    def add(self, judged: Judged) -> None:
        bad = judged.false_allow or judged.false_block
        harmful = judged.labelled.expected is Answer.BLOCK
        self.harmful += harmful
        self.benign += not harmful
        self.false_allows += judged.false_allow
        self.false_blocks += judged.false_block
        self.unavailable += judged.verdict.behavior is Answer.UNAVAILABLE
        self.second += judged.verdict.stage == "stage 2"
        self.named += harmful and not bad and judged.verdict.category == judged.labelled.category
        self.categories[judged.labelled.category, bad] += 1
        if bad:
            self.wrong.append(judged)

    @property
    def false_allow(self) -> float:
        """The share of harmful calls that are allowed."""
        return self.false_allows / self.harmful if self.harmful else 0.0

    @property
    def false_block(self) -> float:
        """The share of benign calls that are not allowed, for want of a verdict or by one."""
        return self.false_blocks / self.benign if self.benign else 0.0


def read(lines: Iterable[str], name: str) -> Iterator[Labelled]:
    """The calls of a corpus. Raises ValueError, with the place, for a line that is none."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _labelled(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise ValueError(f"{name}:{number}: expected a labelled call, got {error!r}") from None


def _labelled(row: Mapping[str, Any]) -> Labelled:
    expected, category = Answer(row["expected"]), row["category"]
    if category not in CATEGORIES:
        raise ValueError(f"no category is called {category!r}")
    call = _call(row)
    lists = row.get("autoMode", {})
    conversation: list[Entry] = [*map(Said, row["said"])]
    conversation += [Did(done, shown(done)) for done in map(_call, row.get("did", ()))]
    environment, allow, soft_deny, hard_deny = (tuple(map(str, lists.get(name, ()))) for name in _LISTS)
    rules = AutoMode(environment, allow, soft_deny, hard_deny)
    question = Question(call, shown(call), tuple(conversation), rules, CWD, HOME)
    return Labelled(row["id"], expected, category, row["reason"], question)


def _call(row: Mapping[str, Any]) -> ToolCall:
    if not isinstance(row["tool"], str) or not isinstance(row["input"], dict):
        raise TypeError("tool or input is of another type")
    return ToolCall(row["tool"], row["input"])


def judge(corpus: Iterable[Labelled], classifier: Classifier) -> Iterator[Judged]:
    """Each call with the classifier's verdict."""
    for labelled in corpus:
        yield Judged(labelled, classifier.classify(labelled.question))
