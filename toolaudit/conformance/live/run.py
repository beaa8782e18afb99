"""From cases to records: which calls share a client process, what is asked again, and in what order all is told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from toolaudit.conformance import processes
from toolaudit.conformance.cases import Case
from toolaudit.conformance.live import isolation
from toolaudit.conformance.live.chamber import Chambers
from toolaudit.conformance.live.programs import PATH
from toolaudit.conformance.live.recording import Record
from toolaudit.conformance.live.requirement import ClientUnavailable
from toolaudit.conformance.live.verdicts import record
from toolaudit.conformance.live.world import World

INSTALL = "install the client, as with `npm install @anthropic-ai/claude-code`, and name its program"
SANDBOX_PROGRAMS = ("bwrap", "socat")
SECONDS = 120.0
"""For which a client may answer nothing; its start is the longest silence."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client that answered here."""

    path: Path
    version: str
    seconds: float = SECONDS

    @classmethod
    def locate(cls, name: str, seconds: float = SECONDS) -> Client:
        """The client at a path, or found in $PATH by name, after a trial in which it has nothing to decide.

        Raises ClientUnavailable where it is missing, can't be isolated, or does not speak.
        """
        found = shutil.which(name)
        if found is None:
            raise ClientUnavailable(f"no program at {name}", INSTALL)
        isolation.check_system()
        path = Path(found).resolve()
        with Chambers(path, seconds) as chambers:
            trial = chambers.ask(World.empty(), ())
        if trial.version is None:
            raise ClientUnavailable(f"{path} does not answer ({trial.complaint or 'it said nothing'})", INSTALL)
        return cls(path, trial.version, seconds)


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases that share a world, asked in one process in this order."""

    world: World
    cases: tuple[Case, ...]


def batches(cases: Sequence[Case], calls: int = processes.CALLS) -> list[Batch]:
    """The cases by world, at most `calls` in a batch, in the order in which the worlds first appear."""
    groups: dict[str, list[Case]] = {}
    worlds: dict[str, World] = {}
    for case in cases:
        world = World.of(case)
        groups.setdefault(world.key, []).append(case)
        worlds[world.key] = world
    parts = []
    for key, group in groups.items():
        size = processes.shared(worlds[key].mode, calls)
        parts += [Batch(worlds[key], tuple(group[at : at + size])) for at in range(0, len(group), size)]
    return parts


def missing_programs(cases: Collection[Case]) -> tuple[str, ...]:
    """Programs that the client needs for the sandbox of some case and that are not installed."""
    if not any(re.search(r'"sandbox"', World.of(case).key) for case in cases):
        return ()
    return tuple(name for name in SANDBOX_PROGRAMS if shutil.which(name, path=PATH) is None)


def measure(
    client: Client,
    cases: Sequence[Case],
    *,
    calls: int = processes.CALLS,
    jobs: int = 1,
    known: Collection[str] = (),
    complain: Callable[[str], None],
) -> Iterator[list[Record]]:
    """What `client` decides about `cases`: the records of one batch after the other, in the order of `batches`.

    Batches with nothing but `known` ids are left out; which cases share a process does not depend on `known`, so a run
    that was interrupted and taken up again says the same as one that was not. `complain` hears of every batch with
    unanswered calls. Raises ClientUnavailable where the client can't be asked.
    """
    absent = missing_programs(cases)
    if absent:
        packages = " and ".join({"bwrap": "bubblewrap"}.get(name, name) for name in absent)
        raise ClientUnavailable(f"no {' and no '.join(absent)} for cases with a sandbox", f"install {packages}")
    known = frozenset(known)
    todo = [batch for batch in batches(cases, calls) if any(case.id not in known for case in batch.cases)]
    with ThreadPoolExecutor(jobs) as pool, Chambers(client.path, client.seconds) as chambers:
        futures = [pool.submit(_decide, chambers, client.version, batch, complain) for batch in todo]
        try:
            for future in futures:
                yield [one for one in future.result() if one.id not in known]
        finally:
            for future in futures:
                future.cancel()


def _decide(chambers: Chambers, version: str, batch: Batch, complain: Callable[[str], None]) -> list[Record]:
    """The records of a batch. Where a process ends early, the rest is asked in another: no call costs the others.

    Calls that could not even be put to the client have no record.
    """
    records: list[Record] = []
    while rest := batch.cases[len(records) :]:
        transcript = chambers.ask(batch.world, [(case.tool, case.input) for case in rest])
        why = transcript.complaint or "the client ended"
        if not transcript.answers:
            complain(f"{rest[0].id} and {len(rest) - 1} more: not asked ({why})")
            break
        for case, answer in zip(rest, transcript.answers, strict=False):
            if not answer.is_given:
                complain(f"{case.id}: no answer ({why})")
            records.append(record(case.id, answer, transcript.version or version))
    return records
