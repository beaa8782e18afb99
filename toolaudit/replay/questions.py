"""The calls of recorded sessions that a classifier would be asked about, as questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from toolaudit.classifier.agreement import Asked
from toolaudit.classifier.question import Question
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.replay.decider import Decider, Settings
from toolaudit.replay.replay import Event
from toolaudit.transcripts import RecordedCall


class _Listening:
    """Answers nothing, and keeps what it was asked."""

    name = "listening"

    def __init__(self) -> None:
        self.heard: list[Question] = []

    def classify(self, question: Question) -> Verdict:
        self.heard.append(question)
        return Verdict(Answer.UNAVAILABLE, Stage.FIXED, "", "", self.name)


def questions(
    events: Iterable[RecordedCall | Event], settings: Settings, labels: Mapping[str, Verdict] | None = None
) -> Iterator[Asked]:
    """Each call that reaches the classifier under `settings`, whose own classifier is left aside."""
    listening = _Listening()
    decider = Decider(replace(settings, classifier=listening, flips=False))
    for event in events:
        if isinstance(event, RecordedCall):
            decider.record(event)
            name = event.call.id or f"{event.file}:{event.line}"
            for question in listening.heard:
                yield Asked(name, question, (labels or {}).get(name))
            listening.heard.clear()
