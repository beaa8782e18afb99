"""What an upgrade of the client changed: two recordings of the same cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from toolaudit.conformance.live.recording import Record


@dataclass(frozen=True, slots=True)
class Change:
    """One case that two clients decide in different ways."""

    before: Record
    after: Record

    @property
    def kind(self) -> tuple[str, str]:
        """The two decisions; equal where only the reason type changed."""
        return self.before.decision, self.after.decision


@dataclass(frozen=True, slots=True)
class Changes:
    """The comparison of two recordings."""

    compared: int
    decisions: tuple[Change, ...]
    reasons: tuple[Change, ...]
    """Same decision, other reason type."""
    unanswered: int
    """Cases in both recordings of which one has no answer; they count nowhere else."""
    only_before: int
    only_after: int

    @property
    def kinds(self) -> Counter[tuple[str, str]]:
        return Counter(change.kind for change in self.decisions)


def changes(before: Mapping[str, Record], after: Mapping[str, Record]) -> Changes:
    """What changed between two recordings, by case id, in the order of the first."""
    both = [Change(before[name], after[name]) for name in before if name in after]
    answered = [change for change in both if "none" not in change.kind]
    return Changes(
        compared=len(answered),
        decisions=tuple(change for change in answered if change.before.decision != change.after.decision),
        reasons=tuple(
            change
            for change in answered
            if change.before.decision == change.after.decision and change.before.reason_type != change.after.reason_type
        ),
        unanswered=len(both) - len(answered),
        only_before=len(before) - len(both),
        only_after=len(after) - len(both),
    )
