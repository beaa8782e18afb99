from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolaudit.model import Policy
from toolaudit.replay.decider import Decider, Settings
from toolaudit.replay.record import Record
from toolaudit.replay.report import Report
from toolaudit.replay.tally import Tally
from toolaudit.transcripts import FileRead, Problem, RecordedCall

Event = Record | FileRead | Problem


class Replay:
    """Recorded calls through a policy: iterate once for each record as it comes, then ask for the report."""

    def __init__(self, events: Iterable[RecordedCall | Event], settings: Settings, policy: Policy) -> None:
        """`policy` is the one `settings` load, for any project: its rules are those of every project.

        Calls that were decided elsewhere may be among the events; they are only counted.
        """
        self._events = events
        self._decider = Decider(settings)
        self._policy = policy
        self._tally = Tally()

    def __iter__(self) -> Iterator[Event]:
        record, add = self._decider.record, self._tally.add
        for event in self._events:
            seen: Event = record(event) if isinstance(event, RecordedCall) else event
            add(seen)
            yield seen

    def report(self) -> Report:
        """What was counted so far: the whole, once the iteration has ended."""
        return self._tally.report(self._policy)
