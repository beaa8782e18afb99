from __future__ import annotations

from array import array
from typing import Final

_SEGMENTS: Final = 64
_FULL: Final = 0.75
"""How full a segment gets before it grows: fuller ones save little and make every look-up slower."""
_GROWTH: Final = 1.25
_FIRST_SLOTS: Final = 64


class IdSet:
    """Which ids were seen, in about 12 bytes each however long they are.

    Open-addressing tables of 64-bit hashes. There are many small ones, each of which grows by itself and by little, so
    that memory follows the number of ids closely and never holds all of them twice. Two different ids are taken for
    one with a chance of about n * n / 2**65 (3e-8 for a million ids); the hash is salted for each process, so no input
    can force it.
    """

    __slots__ = ("_count", "_segments")

    def __init__(self) -> None:
        self._segments = [_Segment() for _ in range(_SEGMENTS)]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, key: object) -> bool:
        """Whether `key` is new; it is in the set from now on."""
        mark = hash(key) or 1
        new = self._segments[mark & (_SEGMENTS - 1)].add(mark)
        self._count += new
        return new


class _Segment:
    __slots__ = ("_left", "_slots", "_table")

    def __init__(self) -> None:
        self._make(_FIRST_SLOTS)

    def _make(self, slots: int) -> None:
        self._slots = slots
        self._table = array("q", bytes(8 * slots))
        self._left = int(slots * _FULL)

    def add(self, mark: int) -> bool:
        table, slots = self._table, self._slots
        slot = (mark >> 6) % slots
        while found := table[slot]:
            if found == mark:
                return False
            slot += 1
            if slot == slots:
                slot = 0
        table[slot] = mark
        self._left -= 1
        if not self._left:
            self._grow()
        return True

    def _grow(self) -> None:
        old = self._table
        self._make(int(self._slots * _GROWTH) + 1)
        for mark in old:
            if mark:
                self.add(mark)
