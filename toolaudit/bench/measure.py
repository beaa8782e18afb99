from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table: what was measured, against what, and what it should be."""

    name: str
    ratio: float
    target: float
    floor: str
    """What the ratio is to, in words."""
    value: str
    """The measured value with its unit."""
    at_least: bool = False
    """The ratio should reach the target instead of staying below it."""

    @property
    def met(self) -> bool:
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target


def in_turn(works: Sequence[Callable[[], object]], tries: int = TRIES) -> list[float]:
    """The least processor time of each work, in seconds; the works are tried in turn."""
    best = [float("inf")] * len(works)
    for _ in range(tries):
        for index, work in enumerate(works):
            begun = time.process_time()
            work()
            best[index] = min(best[index], time.process_time() - begun)
    return best


def children(commands: Sequence[Sequence[str]], tries: int = TRIES) -> list[float]:
    """The least processor time of each command, run as a child in turn with the others, in seconds."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    best = [float("inf")] * len(commands)
    for _ in range(tries):
        for index, command in enumerate(commands):
            begun = spent()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            best[index] = min(best[index], spent() - begun)
    return best


def peak_memory(command: Sequence[str]) -> int:
    """The most memory a child had at once, in bytes."""
    wrapped = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", wrapped, *command], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1024
