"""How much a command takes of the machine with all that it started, watched from outside by the tree of its processes.

The kernel's own limits are what can't be outrun: the memory of a single process, and the number of all in the sandbox.
What they take together is looked at while they run. A command that takes too much between two looks can overshoot by
what fits in a tenth of a second, or a little more where it leaves the machine no time to look.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

PROCESSES_MAX: Final = 1024
"""How many processes a command may have at once."""

THREADS_MAX: Final = 2 * PROCESSES_MAX
"""From how many on, each process's every thread counted, the kernel refuses another."""

MEMORY_BYTES_MAX: Final = 4 << 30
"""How much memory they may take together, on a machine that has twice as much."""

LOOK_SECONDS: Final = 0.1
"""How often one looks."""

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@lru_cache(maxsize=1)
def memory_max() -> int:
    """How many bytes of memory a command may take on this machine."""
    return min(MEMORY_BYTES_MAX, os.sysconf("SC_PHYS_PAGES") * _PAGE // 2)


def excess(pid: int) -> str | None:
    """What the process and its descendants take too much of, in words; None: nothing, or the system does not tell."""
    memory = 0
    for processes, descendant in enumerate(_tree(pid), 1):
        memory += _memory(descendant)
        if processes > PROCESSES_MAX:
            return f"it ran more than {PROCESSES_MAX:,} processes at once"
        if memory > memory_max():
            return f"it took more than {memory_max() / (1 << 30):.1f} GB of memory"
    return None


def _tree(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        # A process may end between any two looks at it.
        with suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())


def _memory(pid: int) -> int:
    """The bytes that only this process holds in memory."""
    with suppress(OSError):
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(resident) - int(shared)) * _PAGE
    return 0
