from __future__ import annotations

from dataclasses import dataclass

from toolaudit.classifier.question import Question
from toolaudit.model.verdict import Answer, Stage, Verdict


@dataclass(frozen=True, slots=True)
class Fixed:
    """One answer for every call."""

    answer: Answer

    @property
    def name(self) -> str:
        return str(self.answer)

    def classify(self, question: Question) -> Verdict:
        return Verdict(self.answer, Stage.FIXED, "", "stated beforehand", self.name, input=question.shown)
