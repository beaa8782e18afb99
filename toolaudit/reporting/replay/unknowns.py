from __future__ import annotations

from collections.abc import Iterator

from toolaudit.replay.report import Report
from toolaudit.replay.truth import Score, Truth
from toolaudit.transcripts import Grounds


def unknowns(report: Report) -> Iterator[str]:
    """How many decisions could be compared with the recordings, and what can't be known, a sentence each."""
    by_truth = {one.truth: one.calls for one in report.truths}
    agreed, differ, open_ = (
        sum(one.scores.get(score, 0) for one in report.truths if one.truth is not Truth.NOTHING)
        for score in (Score.AGREES, Score.DIFFERS, Score.UNKNOWN)
    )
    if agreed or differ:
        yield f"{agreed:,} of {_calls(agreed + differ)} that can be compared: decided then as they are here"
    told = {
        "ran, and why is not recorded: a rule, a mode, a hook and a yes look the same, so allow and ask fit": (
            by_truth.get(Truth.RAN, 0)
        ),
        "cancelled or without a result: nothing is known of a decision": by_truth.get(Truth.NOTHING, 0),
        "hang on a classifier that was not asked here, or on a fault found after permissions": open_,
        "of tools without a counterpart: not compared": sum(report.strangers.values()),
        "end as is likeliest, without a field or a sentence of the agent's own": report.grounds.get(
            Grounds.HEURISTIC, 0
        ),
        "decided in a mode that is not known to be theirs": report.calls - report.modes_recorded,
    }
    for what, count in told.items():
        if count:
            yield f"{_calls(count)}: {what}"
    yield "no recording holds its settings, what was granted in its prompts, or the directories added to it"


def _calls(count: int) -> str:
    return f"{count:,} call{'' if count == 1 else 's'}"
