"""What a recording says of the permission for a call, and whether a decision agrees with it.

What ran was allowed, and what a rule, a hook or a mode denied was denied: those are exact. Whether a call ran because
something allowed it or because somebody was asked and said yes is known only where the recording tells of the prompt;
elsewhere either decision fits, and is counted as that, not as agreement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolaudit.model import Behavior, Decision
from toolaudit.model.verdict import Answer
from toolaudit.transcripts import Grounds, RecordedCall
from toolaudit.transcripts import RecordedOutcome as Outcome


class Truth(StrEnum):
    """What was decided of a call when it was recorded, as far as the recording tells."""

    ALLOWED = "ran, nobody was asked"
    APPROVED = "ran after a prompt"
    RAN = "ran, a prompt or none"
    REJECTED = "refused by a person"
    UNANSWERED = "prompt without an answer"
    RULE = "denied by a rule"
    HOOK = "denied by a hook"
    MODE = "denied by the mode"
    PATH = "blocked by a path guard"
    CLASSIFIER = "blocked by the classifier"
    UNAVAILABLE = "classifier unavailable"
    INVALID = "invalid"
    NOTHING = "no decision recorded"
    """Cancelled, without a result, or ended in a way that is not understood."""


class Score(StrEnum):
    """How a decision stands to the truth."""

    AGREES = "agrees"
    FITS = "fits"
    """It is one of the decisions that the recording leaves open."""
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    """The recording, or the replay for want of a classifier, has nothing to compare."""


_REFUSALS: Final[Mapping[Outcome, Truth]] = {
    Outcome.USER_REJECTED: Truth.REJECTED,
    Outcome.RULE_DENIED: Truth.RULE,
    Outcome.HOOK_DENIED: Truth.HOOK,
    Outcome.ASK_UNANSWERED: Truth.UNANSWERED,
    Outcome.MODE_DENIED: Truth.MODE,
    Outcome.PATH_BLOCKED: Truth.PATH,
    Outcome.AUTOMODE_BLOCKED: Truth.CLASSIFIER,
    Outcome.AUTOMODE_UNAVAILABLE: Truth.UNAVAILABLE,
    Outcome.VALIDATION_ERROR: Truth.INVALID,
}

_ALLOW, _ASK, _DENY = ({one} for one in (Behavior.ALLOW, Behavior.ASK, Behavior.DENY))

AGREEING: Final[Mapping[Truth, frozenset[Behavior]]] = {
    Truth.ALLOWED: frozenset(_ALLOW),
    Truth.APPROVED: frozenset(_ASK),
    Truth.REJECTED: frozenset(_ASK),
    Truth.UNANSWERED: frozenset(_ASK),
    Truth.RULE: frozenset(_DENY | {Behavior.REMOVED}),
    Truth.HOOK: frozenset(_DENY),
    Truth.MODE: frozenset(_DENY),
    # Some guards ask where somebody can answer and deny where nobody can; the recording is of the second kind.
    Truth.PATH: frozenset(_ASK | _DENY),
    Truth.CLASSIFIER: frozenset(_DENY),
    Truth.UNAVAILABLE: frozenset(_DENY),
    Truth.INVALID: frozenset({Behavior.INVALID}),
}
"""Truth -> the decisions that are the same."""

_FITTING: Final = frozenset(_ALLOW | _ASK)


def truth(recorded: RecordedCall) -> Truth:
    """What the recording says was decided of the call."""
    if recorded.outcome.ran:
        return Truth.RAN if recorded.prompted is None else Truth.APPROVED if recorded.prompted else Truth.ALLOWED
    return _REFUSALS.get(recorded.outcome, Truth.NOTHING)


def score(said: Truth, decision: Decision) -> Score:
    """How a decision about a call stands to what the recording says of it."""
    behavior = decision.behavior
    unasked = decision.verdict is not None and decision.verdict.behavior is Answer.UNAVAILABLE
    if said is Truth.NOTHING or (unasked and said is not Truth.UNAVAILABLE):
        return Score.UNKNOWN
    if said is Truth.RAN:
        return Score.FITS if behavior in _FITTING else Score.DIFFERS
    if behavior in AGREEING[said]:
        return Score.AGREES
    # What is wrong with a call beyond its schema is found after permissions: of those the fault says nothing.
    return Score.UNKNOWN if said is Truth.INVALID else Score.DIFFERS


@dataclass(frozen=True, slots=True)
class TruthCount:
    """All calls of which the recordings say the same, scored."""

    truth: Truth
    scores: Mapping[Score, int]
    markers: Mapping[tuple[Grounds, str], int]
    """What that rests on, most frequent first: the kind of evidence, and the field or sentence; bounded in number."""

    @property
    def calls(self) -> int:
        return sum(self.scores.values())
