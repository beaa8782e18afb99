"""Recorded calls that two policies decide differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from toolaudit.model import Mode, Policy

if TYPE_CHECKING:
    from toolaudit.analysis.diff import Comparison, Side


def add_flips(comparison: Comparison, paths: Sequence[str], old: Side, new: Side, mode: str | None) -> None:
    """Add to `comparison` each recorded call that flips, counted; both policies as if for each session's project."""
    from toolaudit.analysis.diff import Change, describe
    from toolaudit.replay.decider import Decider, Settings
    from toolaudit.transcripts import RecordedCall
    from toolaudit.transcripts.reading import read

    forced = Mode.parse(mode) if mode is not None else None

    def decider(side: Side) -> Decider:
        def policy(root: str, home: str) -> Policy:
            return side.policy

        return Decider(Settings(policy, forced or side.mode))

    before, after = decider(old), decider(new)
    seen = {change.subject for change in comparison.changes}
    for event in read(paths):
        if not isinstance(event, RecordedCall):
            continue
        one, two = before.record(event).decision, after.record(event).decision
        change = Change(describe(event.call), event.call, one, two, recorded=1)
        if change.kind[0] is change.kind[1]:
            continue
        if change.subject in seen:
            comparison.changes = [
                replace(known, recorded=known.recorded + 1) if known.subject == change.subject else known
                for known in comparison.changes
            ]
        else:
            seen.add(change.subject)
            comparison.changes.append(change)
    comparison.sort()
