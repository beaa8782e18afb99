from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

import msgspec

from toolaudit.transcripts.ids import IdSet
from toolaudit.transcripts.problem import FileRead, Problem
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

Event = RecordedCall | Problem | FileRead

_UNIQUE_LENGTH = 20
"""The API's ids are at least this long and never come twice; gateways make up shorter ones, counting from one."""

_MOST_HELD = 1024

Told = TypeVar("Told")


def _itself(event: object) -> RecordedCall | None:
    return event if type(event) is RecordedCall else None


def distinct(events: Iterable[Told], call_of: Callable[[Told], RecordedCall | None] = _itself) -> Iterator[Told]:
    """Each call once, over all files: forks, resumed sessions and sub-agents' parents repeat the calls of others.

    The first copy counts, except that a copy without a result waits, and gives way to one that has a result. What
    still waits comes at the end. `call_of` gives the call an event is about; None for one that is about none.
    """
    seen = IdSet()
    held: dict[Hashable, Told] = {}
    for event in events:
        call = call_of(event)
        if call is None:
            yield event
            continue
        key = _key(call)
        if not seen.add(key):
            if key in held and call.outcome is not RecordedOutcome.NO_RESULT:
                del held[key]
                yield event
        elif call.outcome is not RecordedOutcome.NO_RESULT:
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
    told = event.timestamp or (event.file, event.session)
    return call.id, told, call.tool, msgspec.json.encode(call.input)
