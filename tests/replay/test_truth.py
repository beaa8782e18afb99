"""Decisions scored against what sessions say happened: exactly where that is known, and not at all where it isn't."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from test_compare import CALL

from toolaudit.model import Behavior, Decision, Mode, Policy, ReasonType
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.replay.record import Record, compare
from toolaudit.replay.tally import Tally
from toolaudit.replay.truth import AGREEING, Score, Truth, score, truth
from toolaudit.reporting.replay.unknowns import unknowns
from toolaudit.transcripts import Evidence, Grounds
from toolaudit.transcripts import RecordedOutcome as Out

ALLOW, ASK, DENY, REMOVED, INVALID = Behavior
AGREES, FITS, DIFFERS, UNKNOWN = Score

TABLE = [
    # outcome, prompted, what it says, and the score of allow, ask, deny, removed and invalid
    (Out.EXECUTED, False, Truth.ALLOWED, (AGREES, DIFFERS, DIFFERS, DIFFERS, DIFFERS)),
    (Out.EXECUTED, True, Truth.APPROVED, (DIFFERS, AGREES, DIFFERS, DIFFERS, DIFFERS)),
    (Out.EXECUTED, None, Truth.RAN, (FITS, FITS, DIFFERS, DIFFERS, DIFFERS)),
    (Out.EXECUTED_ERROR, None, Truth.RAN, (FITS, FITS, DIFFERS, DIFFERS, DIFFERS)),
    (Out.EXECUTED_ERROR, True, Truth.APPROVED, (DIFFERS, AGREES, DIFFERS, DIFFERS, DIFFERS)),
    (Out.USER_REJECTED, True, Truth.REJECTED, (DIFFERS, AGREES, DIFFERS, DIFFERS, DIFFERS)),
    (Out.USER_REJECTED, None, Truth.REJECTED, (DIFFERS, AGREES, DIFFERS, DIFFERS, DIFFERS)),
    (Out.ASK_UNANSWERED, False, Truth.UNANSWERED, (DIFFERS, AGREES, DIFFERS, DIFFERS, DIFFERS)),
    (Out.RULE_DENIED, None, Truth.RULE, (DIFFERS, DIFFERS, AGREES, AGREES, DIFFERS)),
    (Out.HOOK_DENIED, False, Truth.HOOK, (DIFFERS, DIFFERS, AGREES, DIFFERS, DIFFERS)),
    (Out.MODE_DENIED, None, Truth.MODE, (DIFFERS, DIFFERS, AGREES, DIFFERS, DIFFERS)),
    (Out.PATH_BLOCKED, None, Truth.PATH, (DIFFERS, AGREES, AGREES, DIFFERS, DIFFERS)),
    (Out.AUTOMODE_BLOCKED, None, Truth.CLASSIFIER, (DIFFERS, DIFFERS, AGREES, DIFFERS, DIFFERS)),
    (Out.AUTOMODE_UNAVAILABLE, None, Truth.UNAVAILABLE, (DIFFERS, DIFFERS, AGREES, DIFFERS, DIFFERS)),
    (Out.VALIDATION_ERROR, None, Truth.INVALID, (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, AGREES)),
    (Out.CANCELLED, None, Truth.NOTHING, (UNKNOWN,) * 5),
    (Out.NO_RESULT, None, Truth.NOTHING, (UNKNOWN,) * 5),
    (Out.UNKNOWN, None, Truth.NOTHING, (UNKNOWN,) * 5),
]


def decision(behavior: Behavior) -> Decision:
    return Decision(behavior, "prompt", ReasonType.OTHER, "x")


@pytest.mark.parametrize(("outcome", "prompted", "said", "scores"), TABLE)
def test_scores(outcome: Out, prompted: bool | None, said: Truth, scores: tuple[Score, ...]) -> None:
    assert truth(replace(CALL, outcome=outcome, prompted=prompted)) is said
    assert tuple(score(said, decision(behavior)) for behavior in Behavior) == scores


def test_the_table_has_every_outcome_and_every_truth() -> None:
    assert {row[0] for row in TABLE} == set(Out)
    assert {row[2] for row in TABLE} == set(Truth)
    assert set(AGREEING) == set(Truth) - {Truth.RAN, Truth.NOTHING}


@pytest.mark.parametrize(
    ("said", "expected"),
    [(Truth.RAN, UNKNOWN), (Truth.ALLOWED, UNKNOWN), (Truth.CLASSIFIER, UNKNOWN), (Truth.UNAVAILABLE, AGREES)],
)
def test_a_classifier_that_was_not_asked_is_not_scored(said: Truth, expected: Score) -> None:
    verdict = Verdict(Answer.UNAVAILABLE, Stage.FIXED, "", "", "stated")
    assert score(said, Decision(DENY, "prompt", ReasonType.CLASSIFIER, "no", verdict=verdict)) is expected


def told(*ended: tuple[Out, bool | None, Behavior, str]) -> Tally:
    tally = Tally()
    for outcome, prompted, behavior, marker in ended:
        recorded = replace(CALL, outcome=outcome, prompted=prompted, evidence=Evidence(Grounds.TEXT, marker))
        made = decision(behavior)
        tally.add(Record(recorded, Mode.DEFAULT, False, made, compare(recorded, made), None))
    return tally


def test_the_report_counts_by_what_is_said_and_names_the_markers() -> None:
    tally = told(
        (Out.EXECUTED, None, ALLOW, "a"),
        (Out.EXECUTED, None, DENY, "a"),
        (Out.EXECUTED, True, ASK, "b"),
        (Out.RULE_DENIED, None, ALLOW, "c"),
        (Out.RULE_DENIED, None, DENY, "d"),
        (Out.RULE_DENIED, None, DENY, "d"),
    )
    found = {
        one.truth: (one.scores, {marker: count for (_, marker), count in one.markers.items()})
        for one in tally.report(Policy()).truths
    }
    assert found == {
        Truth.RAN: ({FITS: 1, DIFFERS: 1}, {"a": 2}),
        Truth.APPROVED: ({AGREES: 1}, {"b": 1}),
        Truth.RULE: ({AGREES: 2, DIFFERS: 1}, {"d": 2, "c": 1}),
    }


def test_markers_are_bounded() -> None:
    tally = told(*((Out.RULE_DENIED, None, DENY, f"marker {number}") for number in range(1500)))
    (rule,) = tally.report(Policy()).truths
    assert rule.calls == sum(rule.markers.values()) == 1500
    assert len(rule.markers) <= 1001


def test_what_can_not_be_known_is_said() -> None:
    tally = told((Out.EXECUTED, None, ALLOW, "a"), (Out.EXECUTED, True, ASK, "b"), (Out.NO_RESULT, None, ASK, "c"))
    lines = list(unknowns(tally.report(Policy())))
    assert lines[0] == "1 of 1 call that can be compared: decided then as they are here"
    kinds = Counter(line.partition(": ")[2].split(",")[0].split(" or ")[0] for line in lines)
    assert kinds["ran"] == kinds["cancelled"] == 1
    assert lines[-1].startswith("no recording holds its settings")
