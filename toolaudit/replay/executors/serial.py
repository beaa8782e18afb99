"""One shard after another, in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolaudit.replay.executors import Finished, told
from toolaudit.replay.shards import Shard, Work


class Serial:
    def run(self, shards: Iterable[Shard], work: Work) -> Iterator[Finished]:
        for shard in shards:
            try:
                work(shard)
            except Exception as error:  # one shard's failure must not cost the others; it is told
                yield Finished(shard, told(error))
            else:
                yield Finished(shard)
