"""What people answer when a call is asked about: what the script says of it, or the answer of the whole run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

from toolaudit.model import Behavior
from toolaudit.pipeline.prompting import Answer, Question

Otherwise = Literal["allow", "deny", "ask-me"]


class Answers:
    """Answers questions by the ids of their calls. Every question that was asked is kept."""

    def __init__(self, otherwise: Otherwise = "deny", person: Callable[[Question], bool] | None = None) -> None:
        """`person` answers where `otherwise` is `ask-me`; without one, that is a no."""
        self._otherwise = otherwise
        self._person = person
        self._scripted: dict[str, Behavior] = {}
        self._lock = threading.Lock()
        self.asked: list[Question] = []

    def expect(self, call_id: str, answer: Behavior) -> None:
        """The answer for one call."""
        self._scripted[call_id] = answer

    def ask(self, question: Question) -> Answer:
        # One person answers one question at a time, whoever asks.
        with self._lock:
            self.asked.append(question)
            scripted = self._scripted.get(question.call.id or "")
            if scripted is not None:
                return Answer(scripted, f"the script says {scripted}")
            if self._otherwise == "ask-me":
                agreed = self._person is not None and self._person(question)
                return Answer(Behavior.ALLOW if agreed else Behavior.DENY, "you said " + ("yes" if agreed else "no"))
            return Answer(Behavior(self._otherwise), f"every prompt is answered with {self._otherwise}")
