"""A live session's classifier: it begins in a thread of its own, and sees the session's conversation so far."""

from __future__ import annotations

import threading
from typing import Final

from toolaudit.classifier.inquiry import Inquiry
from toolaudit.classifier.projection import project
from toolaudit.classifier.question import Question
from toolaudit.classifier.stages import Classifier
from toolaudit.model import ToolCall
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.pipeline.state import State

SECONDS: Final = 120.0
"""How long a verdict is waited for; the classifiers keep shorter limits of their own."""


class Classifying:
    """What a session's `Services` take for a classifier."""

    def __init__(self, classifier: Classifier, seconds: float = SECONDS) -> None:
        self._classifier = classifier
        self._seconds = seconds

    def start(self, call: ToolCall, state: State) -> Judging:
        """Begins to judge `call`; a call that shows nothing is skipped."""
        context, tool = state.context, state.tool
        conversation = project(context.messages) if context is not None else None
        inquiry = Inquiry(self._classifier, state.policy, state.workspace, conversation)
        text = tool.to_auto_classifier_input(state.parsed) if tool is not None and not state.rewritten else None
        question = inquiry.question(call, text)
        judging = Judging(self._classifier, question, self._seconds)
        judging.start()
        return judging


class Judging(threading.Thread):
    """One question under way."""

    def __init__(self, classifier: Classifier, question: Question | None, seconds: float) -> None:
        super().__init__(daemon=True, name="classifier")
        self._classifier = classifier
        self._question = question
        self._seconds = seconds
        self._done = threading.Event()
        self._verdict: Verdict | None = None
        self._discarded = False

    def run(self) -> None:
        try:
            if self._question is not None and not self._discarded:
                self._verdict = self._classifier.classify(self._question)
        finally:
            self._done.set()

    def answer(self) -> Verdict | None:
        """The verdict, once it is there; None where the call shows the classifier nothing."""
        if self._question is None:
            return None
        if self._done.wait(self._seconds) and self._verdict is not None:
            return self._verdict
        why = "the classifier gave no verdict" if self._done.is_set() else "the verdict did not come in time"
        return Verdict(Answer.UNAVAILABLE, Stage.FIXED, "", why, self._classifier.name)

    def discard(self) -> None:
        """Nobody waits for the verdict; what was not begun is not asked."""
        self._discarded = True
