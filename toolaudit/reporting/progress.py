"""How far long work has come, on a stream that somebody may be watching."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TextIO

SECONDS_BETWEEN_LINES = 30.0


@contextlib.contextmanager
def shown(label: str, total: int, stream: TextIO) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, a line now and then elsewhere; what it yields is told how many steps were done."""
    if not stream.isatty():
        yield _Lines(label, total, stream)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task(label, total=total)
        yield lambda steps: progress.advance(task, steps)


class _Lines:
    def __init__(self, label: str, total: int, stream: TextIO) -> None:
        self._label, self._total, self._stream = label, total, stream
        self._done = 0
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES

    def __call__(self, steps: int) -> None:
        self._done += steps
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN_LINES
            print(f"{self._label}: {self._done:,} of {self._total:,}", file=self._stream, flush=True)
