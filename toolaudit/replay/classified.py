"""What a replay remembers of each session for its classifier, and what it counts of the verdicts."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from typing import Final

from toolaudit.classifier.inquiry import Conversation
from toolaudit.classifier.projection import own_words
from toolaudit.model import Decision, Mode, ToolCall
from toolaudit.model.verdict import NO_USAGE, Answer
from toolaudit.model.versions import Version
from toolaudit.permissions.blocks import NO_BLOCKS, Blocks
from toolaudit.replay.grouping import Grouping
from toolaudit.replay.record import Record
from toolaudit.replay.report import ClassifierUse
from toolaudit.transcripts import RecordedCall

_MOST_SESSIONS: Final = 64
"""Sessions that are remembered at once; the lines of one stand together in a file."""


class Session:
    """One session, or one sub-agent of it, which has a count of its own."""

    def __init__(self) -> None:
        self.conversation = Conversation()
        self.blocks: Blocks = NO_BLOCKS

    def decided(self, recorded: RecordedCall, call: ToolCall, decision: Decision, mode: Mode, version: Version) -> None:
        """Takes note of a call: that it was made then, and whether it would have been blocked now."""
        if recorded.outcome.ran:
            self.conversation.did(call)
        self.blocks = self.blocks.after(decision, mode, version)


class Sessions:
    """The sessions of a replay, by file, id and whether a sub-agent made the call."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[tuple[object, ...], Session] = OrderedDict()

    def of(self, recorded: RecordedCall) -> Session:
        """The session of a call, with what the user said before it."""
        key = (recorded.file, recorded.session, recorded.sidechain)
        session = self._sessions.pop(key, None) or Session()
        self._sessions[key] = session
        if len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        for text in recorded.said:
            if words := own_words(text):
                session.conversation.said(words)
        return session


class ClassifierTally:
    """Counts what the classifier was asked, what it said, and what hangs on it."""

    def __init__(self) -> None:
        self._fast = 0
        self._stages: dict[str, Counter[str]] = defaultdict(Counter)
        self._categories: Counter[str] = Counter()
        self._usage = NO_USAGE
        self._seconds = 0.0
        self._flips: dict[str, Grouping] = defaultdict(Grouping)

    def add(self, record: Record) -> None:
        verdict = record.decision.verdict
        if verdict is not None:
            self._stages[verdict.stage][verdict.behavior] += 1
            self._usage += verdict.usage
            self._seconds += verdict.latency
            if verdict.behavior is Answer.BLOCK:
                self._categories[verdict.category] += 1
        elif record.mode in (Mode.AUTO, Mode.PLAN):
            self._fast += 1
        for flip in record.flips:
            self._flips[flip.if_].add(record, flip.behavior, f"{record.decision.behavior} now: {record.decision.why}")

    def report(self) -> ClassifierUse | None:
        """The counts so far; None where no call came near a classifier."""
        if not (self._fast or self._stages or self._flips):
            return None
        return ClassifierUse(
            fast=self._fast,
            stages={stage: dict(counts) for stage, counts in sorted(self._stages.items())},
            categories=dict(self._categories.most_common()),
            usage=self._usage,
            seconds=self._seconds,
            flips={name: self._flips[name].result() for name in sorted(self._flips)},
        )
