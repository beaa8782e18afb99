from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import msgspec

from toolaudit.transcripts.ids import IdSet
from toolaudit.transcripts.problem import FileRead, Problem
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

Event = RecordedCall | Problem | FileRead

_UNIQUE_LENGTH = 20
"""The API's ids are at least this long and never come twice; gateways make up shorter ones, counting from one."""

_MOST_HELD = 1024


def distinct(events: Iterable[Event]) -> Iterator[Event]:
    """Each call once, over all files: forks, resumed sessions and sub-agents' parents repeat the calls of others.

    The first copy counts, except that a copy without a result waits, and gives way to one that has a result. What
    still waits comes at the end.
    """
    seen = IdSet()
    held: dict[Hashable, RecordedCall] = {}
    for event in events:
        if type(event) is not RecordedCall:
            yield event
            continue
        key = _key(event)
        if not seen.add(key):
            if key in held and event.outcome is not RecordedOutcome.NO_RESULT:
                del held[key]
                yield event
        elif event.outcome is not RecordedOutcome.NO_RESULT:
            yield event
        else:
            held[key] = event
            if len(held) > _MOST_HELD:
                yield held.pop(next(iter(held)))
    yield from held.values()


def _key(event: RecordedCall) -> Hashable:
    call = event.call
    if call.id is not None and len(call.id) >= _UNIQUE_LENGTH:
        return call.id
    if call.id is None:
        return event.file, event.line, call.tool, msgspec.json.encode(call.input)
    # Copies keep the time at which the call was made, so that it tells two sessions' equal ids apart.
    return call.id, event.timestamp, call.tool, msgspec.json.encode(call.input)
