from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from toolaudit.model import ToolCall
from toolaudit.transcripts.foreign.counterparts import Counterpart, counterparts
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import Evidence, Grounds, RecordedCall, RecordedOutcome

_MOST_OPEN = 512
"""Calls that may wait for their results."""

_MOST_CLOSED = 4096
"""Ids of finished calls that are remembered, because some formats tell of a call several times."""

_MILLISECONDS: Final = 1e11
"""A number of seconds since 1970 stays below this for three thousand years, one of milliseconds since 1973 above."""

NO_RESULT = (RecordedOutcome.NO_RESULT, Evidence(Grounds.HEURISTIC, "no result in the recording"), None)

Finding = tuple[RecordedOutcome, Evidence, bool | None]


def ran(failed: bool, marker: str, grounds: Grounds = Grounds.FIELD, prompted: bool | None = None) -> Finding:
    """What became of a call that was carried out, well or badly."""
    outcome = RecordedOutcome.EXECUTED_ERROR if failed else RecordedOutcome.EXECUTED
    return outcome, Evidence(grounds, marker), prompted


def refused(outcome: RecordedOutcome, marker: str, grounds: Grounds = Grounds.FIELD) -> Finding:
    """What became of a call that was not carried out."""
    return outcome, Evidence(grounds, marker), outcome is RecordedOutcome.USER_REJECTED or None


@dataclass(slots=True)
class _Open:
    calls: tuple[tuple[ToolCall, bool], ...]
    """The client's calls for one call of the recording, each with whether it is a counterpart at all."""
    name: str
    timestamp: str | None
    cwd: str | None
    sidechain: bool
    line: int
    prompted: bool | None


class Recording:
    """The calls of one file that wait for their results, and what is known of the session they are made in."""

    def __init__(self, agent: str, file: str) -> None:
        self._agent = agent
        self._file = file
        self._open: dict[str, _Open] = {}
        self._closed: dict[str, None] = {}
        self._unnamed = 0
        self.session: str | None = None
        self.cwd: str | None = None
        self.root: str | None = None
        self.version: str | None = None
        self.prompted: bool | None = None
        """Whether somebody is asked about the calls from here on; False where the session asks about nothing."""

    def follow(self, values: Iterable[tuple[int, Any] | Problem], tell: Tell) -> Iterator[RecordedCall | Problem]:
        """What `tell` makes of each value in turn, problems as they come, and last the calls without a result."""
        for item in values:
            if isinstance(item, Problem):
                yield item
            else:
                yield from tell(self, *item)
        yield from self.rest()

    def call(
        self,
        name: object,
        arguments: object,
        line: int,
        *,
        id: str | None = None,
        timestamp: object = None,
        cwd: str | None = None,
        sidechain: bool = False,
    ) -> Iterator[RecordedCall | Problem]:
        """Takes note of a call; gives the ones that can wait no longer. One that is known by its id is not new."""
        if not isinstance(name, str) or not name:
            yield Problem(Trouble.BAD_SHAPE, "a call without the name of its tool", self._file, line)
            return
        key = id if id else self.unnamed()
        if key in self._open or key in self._closed:
            return
        given = parameters(arguments)
        if given is None:
            yield Problem(Trouble.BAD_INPUT, f"the arguments of {name[:60]} are no object", self._file, line)
            given = {}
        found = counterparts(name, given)
        self._open[key] = _Open(
            tuple(_calls(name, given, id, found)),
            name,
            _time(timestamp),
            self._place(next((each.cwd for each in found if each.cwd), None) or cwd),
            sidechain,
            line,
            self.prompted,
        )
        if len(self._open) > _MOST_OPEN:
            oldest = next(iter(self._open))
            yield Problem(Trouble.TOO_MANY_OPEN, oldest[:60], self._file, self._open[oldest].line)
            yield from self.result(oldest, NO_RESULT)

    def asked(self, id: object) -> None:
        """Takes note that somebody was asked about a call that waits."""
        if isinstance(id, str) and id in self._open:
            self._open[id].prompted = True

    def _place(self, said: str | None) -> str | None:
        """Where a call runs that says so itself, perhaps relative to where the session is."""
        if said is None or self.cwd is None or not self.cwd.startswith("/"):
            return said or self.cwd
        return posixpath.normpath(posixpath.join(self.cwd, said))

    def unnamed(self) -> str:
        """A key for a call without an id."""
        self._unnamed += 1
        return f"#{self._unnamed}"

    @property
    def last(self) -> str | None:
        """The key of the call that came last and still waits."""
        return next(reversed(self._open), None)

    @property
    def first(self) -> str | None:
        """The key of the call that waits longest."""
        return next(iter(self._open), None)

    def waits(self, id: object) -> bool:
        return id in self._open

    def result(self, id: object, finding: Finding) -> Iterator[RecordedCall]:
        """The call with this key, now that it is known what became of it; nothing where no such call waits."""
        waiting = self._open.pop(id, None) if isinstance(id, str) else None
        if waiting is None or not isinstance(id, str):
            return
        self._closed[id] = None
        if len(self._closed) > _MOST_CLOSED:
            del self._closed[next(iter(self._closed))]
        outcome, evidence, prompted = finding
        if prompted is None and outcome.ran:
            prompted = waiting.prompted
        for call, counterpart in waiting.calls:
            yield RecordedCall(
                call,
                self.session or self._file,
                waiting.cwd,
                self.root or waiting.cwd,
                self.version,
                None,
                waiting.timestamp,
                waiting.sidechain,
                self._file,
                waiting.line,
                outcome,
                evidence,
                prompted,
                self._agent,
                waiting.name,
                counterpart,
            )

    def rest(self) -> Iterator[RecordedCall]:
        """The calls whose results never came."""
        for id in list(self._open):
            yield from self.result(id, NO_RESULT)


def _calls(
    name: str, given: Mapping[str, Any], id: str | None, found: tuple[Counterpart, ...]
) -> Iterator[tuple[ToolCall, bool]]:
    if not found:
        yield ToolCall(name, given, id), False
    for number, each in enumerate(found, 1):
        # A patch of several files is several calls; ids stay unique.
        part = f"{id}/{number}" if id and len(found) > 1 else id
        yield ToolCall(each.tool, each.input, part), True


def _time(said: object) -> str | None:
    """A time as text: as the recording has it, or from a number of seconds or milliseconds since 1970."""
    if isinstance(said, str):
        return said or None
    if not isinstance(said, int | float) or isinstance(said, bool):
        return None
    try:
        moment = datetime.fromtimestamp(said / 1000 if said >= _MILLISECONDS else said, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parameters(arguments: object) -> Mapping[str, Any] | None:
    """The arguments of a call as an object: itself, or JSON text of one, or a bare text as `input`."""
    if isinstance(arguments, dict):
        return arguments
    if arguments is None or arguments == "":
        return {}
    if not isinstance(arguments, str):
        return None
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, RecursionError):
        return {"input": arguments}
    return value if isinstance(value, dict) else {"input": arguments}


Tell = Callable[[Recording, int, Any], Iterator[RecordedCall | Problem]]
"""How a reader takes note of one value of a file, with its line or its place."""
