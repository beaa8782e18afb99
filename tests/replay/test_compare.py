from __future__ import annotations

from dataclasses import replace

import pytest

from toolaudit.model import Behavior, Decision, ReasonType, ToolCall
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.replay import Change
from toolaudit.replay.record import compare
from toolaudit.transcripts import Evidence, Grounds, RecordedCall
from toolaudit.transcripts import RecordedOutcome as Out

CALL = RecordedCall(
    ToolCall("Bash", {"command": "ls"}), "s", "/srv", "/srv", "2.1.332", None, None, False, "s.jsonl", 1,
    Out.EXECUTED, Evidence(Grounds.FIELD, "x"), None,
)  # fmt: skip

ALLOW, ASK, DENY, REMOVED, INVALID = Behavior


@pytest.mark.parametrize(
    ("outcome", "prompted", "behavior", "change"),
    [
        (Out.EXECUTED, None, ALLOW, Change.SAME),
        (Out.EXECUTED, None, ASK, Change.NOW_ASKED),
        (Out.EXECUTED, False, ASK, Change.NOW_ASKED),
        (Out.EXECUTED, True, ASK, Change.SAME),
        (Out.EXECUTED, True, ALLOW, Change.SAME),
        (Out.EXECUTED, None, DENY, Change.NOW_DENIED),
        (Out.EXECUTED_ERROR, None, REMOVED, Change.NOW_DENIED),
        (Out.EXECUTED, None, INVALID, Change.NOW_DENIED),
        (Out.USER_REJECTED, None, ALLOW, Change.NOW_ALLOWED),
        (Out.RULE_DENIED, None, ALLOW, Change.NOW_ALLOWED),
        (Out.ASK_UNANSWERED, False, ALLOW, Change.NOW_ALLOWED),
        (Out.USER_REJECTED, True, ASK, Change.SAME),
        (Out.RULE_DENIED, None, DENY, Change.SAME),
        (Out.VALIDATION_ERROR, None, INVALID, Change.SAME),
        (Out.VALIDATION_ERROR, None, ALLOW, Change.UNKNOWN),
        (Out.CANCELLED, None, ALLOW, Change.UNKNOWN),
        (Out.NO_RESULT, None, DENY, Change.UNKNOWN),
    ],
)
def test_change(outcome: Out, prompted: bool | None, behavior: Behavior, change: Change) -> None:
    recorded = replace(CALL, outcome=outcome, prompted=prompted)
    assert compare(recorded, Decision(behavior, "prompt", ReasonType.OTHER, "x")) is change


@pytest.mark.parametrize(
    ("outcome", "answer", "change"),
    [
        (Out.EXECUTED, Answer.UNAVAILABLE, Change.CLASSIFIED),
        (Out.EXECUTED, Answer.BLOCK, Change.NOW_DENIED),
        (Out.AUTOMODE_BLOCKED, Answer.UNAVAILABLE, Change.SAME),
    ],
)
def test_a_denial_for_want_of_a_classifier_is_none(outcome: Out, answer: Answer, change: Change) -> None:
    said = Verdict(answer, Stage.FIXED, "", "", "stated")
    decision = Decision(DENY, "prompt", ReasonType.CLASSIFIER, "no verdict means no", verdict=said)
    assert compare(replace(CALL, outcome=outcome), decision) is change
