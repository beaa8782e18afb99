"""Who decides the shards of a long replay: this process, several, or the machines of a cluster.

An executor's `run(shards, work)` sees to it that each shard gets done and says which are as soon as they are; a shard
that can't be done is tried again and then named, and costs no other shard anything. Results do not depend on the
executor, because journals do not (`toolaudit.replay.shards`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from toolaudit.replay.shards import Shard, Work

ATTEMPTS: Final = 3
"""How often a shard is tried."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of one shard's work."""

    shard: Shard
    failure: str | None = None
    """Why it could not be done; None: its journal is there."""


class Executor(Protocol):
    """What each executor's module offers."""

    def run(self, shards: Iterable[Shard], work: Work) -> Iterator[Finished]:
        """Does the shards in any order and tells the end of each."""


def told(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]
