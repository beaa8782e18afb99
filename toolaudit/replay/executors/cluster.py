"""The machines of a Ray cluster (extra `cluster`), or a Ray of this machine alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from toolaudit.replay.executors import ATTEMPTS, Finished, told
from toolaudit.replay.shards import Shard, Work

_AT_ONCE = 4
"""Shards under way for each of the cluster's cores: enough that none waits, few enough to keep the queue short."""


class Cluster:
    """Ray starts a lost worker's shard again elsewhere; journals go to the directory all machines share."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        """`address` as Ray takes it (`auto`, `ray://host:10001`); None starts a Ray of `jobs` workers here."""
        self._address = address
        self._jobs = jobs

    def run(self, shards: Iterable[Shard], work: Work) -> Iterator[Finished]:
        """Raises ImportError where Ray is not installed and ConnectionError where no cluster answers."""
        import ray

        mine = not ray.is_initialized()
        if mine:
            given: dict[str, Any] = {"address": self._address} if self._address else {"num_cpus": self._jobs}
            try:
                ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False, **given)
            except ConnectionError as error:
                help = "no cluster answers; where it wants a token, set RAY_AUTH_MODE=token"
                raise ConnectionError(errno.ECONNREFUSED, help, self._address) from error
        try:
            yield from self._run(ray, list(shards)[::-1], work)
        finally:
            if mine:
                ray.shutdown()

    @staticmethod
    def _run(ray: Any, waiting: list[Shard], work: Work) -> Iterator[Finished]:
        remote = ray.remote(max_retries=ATTEMPTS - 1, num_cpus=1)(_do)
        shared, here = ray.put(work), str(Path.cwd())
        most = max(2, int(ray.cluster_resources().get("CPU", 1)) * _AT_ONCE)
        running: dict[Any, Shard] = {}
        while waiting or running:
            while waiting and len(running) < most:
                shard = waiting.pop()
                running[remote.remote(shared, shard, here)] = shard
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                shard = running.pop(reference)
                try:
                    ray.get(reference)
                except Exception as error:  # Ray wraps whatever the shard raised; the others go on, and it is told
                    yield Finished(shard, told(error))
                else:
                    yield Finished(shard)


def _do(work: Work, shard: Shard, place: str) -> None:
    """Relative names mean what they mean where the run was started; a machine without that directory says so."""
    if Path(place).is_dir():
        os.chdir(place)
    work(shard)
