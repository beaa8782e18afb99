from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolaudit.model import Behavior, Decision, Mode
from toolaudit.transcripts import RecordedCall, RecordedOutcome


class Change(StrEnum):
    """How a decision compares with what the session says became of the call."""

    NOW_ALLOWED = "refused then, allowed now"
    NOW_DENIED = "ran then, denied now"
    NOW_ASKED = "ran then, asked about now"
    """Most recordings do not say whether the call was asked about then too; where they do, that is no change."""
    SAME = "as then"
    UNKNOWN = "not comparable"
    """Cancelled, invalid or without a result: the recording has no permission decision to compare with."""


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded call and what the policy decides about it."""

    recorded: RecordedCall
    mode: Mode
    """The mode it was decided in."""
    mode_recorded: bool
    """Whether that mode is the recorded one; otherwise it was asked for, or stands in for an unknown one."""
    decision: Decision
    change: Change
    complexity: str | None
    """Why the shell reader can't say what the command would start; None: it can, or there is no shell command."""


def compare(recorded: RecordedCall, behavior: Behavior) -> Change:
    """The change between a recorded outcome and a decision."""
    if recorded.outcome.ran:
        if behavior is Behavior.ALLOW:
            return Change.SAME
        if behavior is Behavior.ASK:
            return Change.SAME if recorded.prompted else Change.NOW_ASKED
        return Change.NOW_DENIED
    if recorded.outcome.refused:
        return Change.NOW_ALLOWED if behavior is Behavior.ALLOW else Change.SAME
    if recorded.outcome is RecordedOutcome.VALIDATION_ERROR and behavior is Behavior.INVALID:
        return Change.SAME
    return Change.UNKNOWN
