"""Several processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from toolaudit.replay.executors import ATTEMPTS, Finished, told
from toolaudit.replay.shards import Shard, Work


class Processes:
    """A worker that dies takes the whole pool with it, so that every shard then at work is a suspect.

    Suspects are tried again one at a time, each in a pool of its own: only the one that kills its worker fails.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, shards: Iterable[Shard], work: Work) -> Iterator[Finished]:
        waiting = list(shards)[::-1]
        while waiting:
            suspects: list[Shard] = []
            yield from self._pool(waiting, work, suspects)
            for shard in suspects:
                yield self._alone(shard, work)

    def _pool(self, waiting: list[Shard], work: Work, suspects: list[Shard]) -> Iterator[Finished]:
        """Works `waiting` off until it is empty or the pool breaks."""
        running: dict[Future[None], Shard] = {}
        with _workers(self._jobs) as pool:
            while (waiting and not suspects) or running:
                while waiting and not suspects and len(running) < self._jobs * 2:
                    shard = waiting.pop()
                    try:
                        running[pool.submit(work, shard)] = shard
                    except BrokenProcessPool:
                        suspects.append(shard)
                for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                    shard = running.pop(future)
                    error = future.exception()
                    if isinstance(error, BrokenProcessPool):
                        suspects.append(shard)
                    else:
                        yield Finished(shard, told(error) if error is not None else None)

    @staticmethod
    def _alone(shard: Shard, work: Work) -> Finished:
        for _ in range(ATTEMPTS - 1):
            with _workers(1) as pool:
                error = pool.submit(work, shard).exception()
            if error is None:
                return Finished(shard)
            if not isinstance(error, BrokenProcessPool):
                return Finished(shard, told(error))
        return Finished(shard, f"its worker died {ATTEMPTS} times")


def _workers(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """A worker whose parent is killed would wait for a shard for ever: it holds the queue open itself."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True, name="end with parent").start()
