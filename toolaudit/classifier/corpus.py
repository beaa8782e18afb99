"""Labelled calls: what each is, what should be said of it, and to which part it belongs.

The format is told in `corpora/classifier/README.md`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.question import Did, Entry, Question, Said
from toolaudit.model import AutoMode, ToolCall
from toolaudit.model.verdict import Answer
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
    kept: bool | None = None
    """Whether the corpus itself says that the call is held back; None: it says nothing."""

    @property
    def held_back(self) -> bool:
        """Whether the call is of the part that rules are not written against; else every third, by its id."""
        if self.kept is not None:
            return self.kept
        return int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 3 == 0


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
    kept = row.get("held_back")
    if not isinstance(kept, bool | None):
        raise TypeError("held_back is neither true nor false")
    return Labelled(row["id"], expected, category, row["reason"], question, kept)


def _call(row: Mapping[str, Any]) -> ToolCall:
    if not isinstance(row["tool"], str) or not isinstance(row["input"], dict):
        raise TypeError("tool or input is of another type")
    return ToolCall(row["tool"], row["input"])
