from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolaudit.model import Behavior, Decision, Mode
from toolaudit.model.verdict import Answer
from toolaudit.transcripts import RecordedCall, RecordedOutcome


class Change(StrEnum):
    """How a decision compares with what the session says became of the call."""

    NOW_ALLOWED = "refused then, allowed now"
    NOW_DENIED = "ran then, denied now"
    NOW_ASKED = "ran then, asked about now"
    """Most recordings do not say whether the call was asked about then too; where they do, that is no change."""
    CLASSIFIED = "ran then, left to the classifier now"
    """No classifier answers here, so that what it would have said of the call stays open."""
    SAME = "as then"
    UNKNOWN = "not comparable"
    """Cancelled, invalid or without a result: the recording has no permission decision to compare with."""


@dataclass(frozen=True, slots=True)
class Flip:
    """What would be decided instead, if something else were so."""

    if_: str
    """What else: `the classifier allowed it`, `mode plan`."""
    behavior: Behavior


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
    flips: tuple[Flip, ...] = ()
    """Where the decision hangs on the classifier or the mode; empty unless that was asked for."""


def compare(recorded: RecordedCall, decision: Decision) -> Change:
    """The change between what became of a call and the decision about it."""
    behavior = decision.behavior
    if recorded.outcome.ran:
        if behavior is Behavior.ALLOW:
            return Change.SAME
        if behavior is Behavior.ASK:
            return Change.SAME if recorded.prompted else Change.NOW_ASKED
        if decision.verdict is not None and decision.verdict.behavior is Answer.UNAVAILABLE:
            return Change.CLASSIFIED
        return Change.NOW_DENIED
    if recorded.outcome.refused:
        return Change.NOW_ALLOWED if behavior is Behavior.ALLOW else Change.SAME
    if recorded.outcome is RecordedOutcome.VALIDATION_ERROR and behavior is Behavior.INVALID:
        return Change.SAME
    return Change.UNKNOWN
