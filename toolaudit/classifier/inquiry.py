"""A classifier with the part of a session that it may see: what puts calls to it, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from toolaudit.classifier.question import Did, Entry, Question, Said, Told
from toolaudit.classifier.stages import Classifier
from toolaudit.model import Policy, ToolCall
from toolaudit.model.verdict import Verdict
from toolaudit.model.workspace import Workspace
from toolaudit.tools.shown import shown

MOST_ENTRIES: Final = 2000
"""How much of a session's past is kept; what is older is forgotten, as after a compaction."""

MOST_CHARACTERS: Final = 20_000
"""Of one message of the user; the rest of a longer one is left out. Of a call, when it is five times longer."""


class Conversation:
    """What the user said and which calls were made, oldest first."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: deque[Entry] = deque(entries, maxlen=MOST_ENTRIES)

    def said(self, text: str) -> None:
        """The user wrote `text`."""
        self._entries.append(Said(text[:MOST_CHARACTERS]))

    def told(self, text: str) -> None:
        """A hook told the classifier `text`."""
        self._entries.append(Told(text[:MOST_CHARACTERS]))

    def did(self, call: ToolCall) -> None:
        """A call was made; one whose tool shows nothing leaves no entry."""
        if text := shown(call):
            if len(text) > MOST_CHARACTERS * 5:
                call, text = ToolCall(call.tool, {}, call.id), text[:MOST_CHARACTERS]
            self._entries.append(Did(call, text))

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)


class Inquiry:
    """Puts a session's calls to a classifier, each with what was said and done before it."""

    def __init__(
        self, classifier: Classifier, policy: Policy, workspace: Workspace, conversation: Conversation | None = None
    ) -> None:
        self._classifier = classifier
        self._policy = policy
        self._workspace = workspace
        self.conversation = conversation or Conversation()

    def __call__(self, call: ToolCall, text: str | None = None) -> Verdict | None:
        """The verdict on `call`; None where its tool shows the classifier nothing.

        `text` is what a tool that is not built in shows.
        """
        question = self.question(call, text)
        return None if question is None else self._classifier.classify(question)

    def question(self, call: ToolCall, text: str | None = None) -> Question | None:
        """What the classifier is asked about `call`."""
        text = shown(call) if text is None else text
        if not text:
            return None
        workspace = self._workspace
        return Question(
            call,
            text,
            self.conversation.entries,
            self._policy.auto,
            workspace.cwd,
            workspace.home,
            tuple(directory.path for directory in self._policy.directories),
        )
