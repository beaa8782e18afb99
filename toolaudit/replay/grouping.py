from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Final

from toolaudit.model import Behavior
from toolaudit.replay.record import Record
from toolaudit.replay.report import Group, Groups
from toolaudit.replay.subject import subject

MOST_GROUPS: Final = 1000


class Grouping:
    """Records of one kind, told together where tool, subject and decision are the same; bounded in number."""

    def __init__(self) -> None:
        self._groups: dict[Hashable, Group] = {}
        self._total = self._left_out = 0

    def add(self, record: Record, behavior: Behavior | None = None, why: str | None = None) -> None:
        """Count `record`, by its decision or by what else would have been decided, and why."""
        self._total += 1
        recorded, decision = record.recorded, record.decision
        behavior, why = behavior or decision.behavior, decision.why if why is None else why
        about = subject(recorded.call)
        key = (recorded.call.tool, about, recorded.outcome, behavior, why)
        known = self._groups.get(key)
        if known is not None:
            self._groups[key] = replace(known, count=known.count + 1)
        elif len(self._groups) < MOST_GROUPS:
            self._groups[key] = Group(
                recorded.call.tool,
                about,
                recorded.outcome,
                behavior,
                decision.stage,
                why,
                decision.rule,
                record.mode,
                recorded.file,
                recorded.line,
                1,
            )
        else:
            self._left_out += 1

    def result(self) -> Groups:
        """The groups so far, most frequent first."""
        groups = sorted(self._groups.values(), key=lambda group: -group.count)
        return Groups(self._total, tuple(groups), self._left_out)
