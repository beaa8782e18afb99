"""A replay cut into shards: each done by an executor, all told in the order of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from toolaudit.replay.executors import Executor
from toolaudit.replay.record import Record
from toolaudit.replay.replay import Event
from toolaudit.replay.shards import Work, cut, journal
from toolaudit.transcripts import Problem, RecordedCall, Trouble
from toolaudit.transcripts.distinct import distinct
from toolaudit.transcripts.inputs import AnyInput


def events(
    inputs: Iterable[AnyInput | Problem],
    work: Work,
    executor: Executor,
    advance: Callable[[int], None] | None = None,
    *,
    keep: bool,
) -> Iterator[Event]:
    """What one run over `inputs` would tell, whoever decides the parts.

    Parts whose journals are there already are not done again, which is how an interrupted run goes on. A part that
    can't be done is named as a problem. With `keep`, journals stay for a later run.
    """
    yield from distinct(_told(inputs, work, executor, advance, keep), _call)


def _told(
    inputs: Iterable[AnyInput | Problem],
    work: Work,
    executor: Executor,
    advance: Callable[[int], None] | None,
    keep: bool,
) -> Iterator[Event]:
    found = list(inputs)
    yield from (item for item in found if isinstance(item, Problem))
    shards = list(cut(item for item in found if not isinstance(item, Problem)))
    ended: dict[int, str | None] = {shard.number: None for shard in shards if work.done(shard)}
    working = executor.run([shard for shard in shards if shard.number not in ended], work)
    for shard in shards:
        while shard.number not in ended:
            finished = next(working)
            ended[finished.shard.number] = finished.failure
        failure = ended[shard.number]
        if failure is not None:
            yield Problem(Trouble.UNREADABLE, f"left out: {failure}", shard.name)
        else:
            path = work.journal(shard)
            yield from journal(path)
            if not keep:
                path.unlink()
        if advance is not None:
            advance(shard.size)


def _call(event: Event) -> RecordedCall | None:
    return event.recorded if isinstance(event, Record) else None
