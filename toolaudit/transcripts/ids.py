from __future__ import annotations

from array import array


class IdSet:
    """Which ids were seen, in 16 to 32 bytes each however long they are.

    An open-addressing table of 64-bit hashes. Two different ids are taken for one with a chance of about
    n * n / 2**65 (3e-8 for a million ids); the hash is salted for each process, so no input can force it.
    """

    __slots__ = ("_count", "_mask", "_table")

    def __init__(self) -> None:
        self._mask = (1 << 12) - 1
        self._table = array("q", bytes(8 << 12))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, key: object) -> bool:
        """Whether `key` is new; it is in the set from now on."""
        if not self._place(hash(key) or 1):
            return False
        self._count += 1
        if self._count * 2 > self._mask:
            self._grow()
        return True

    def _place(self, mark: int) -> bool:
        table, mask = self._table, self._mask
        slot = mark & mask
        while found := table[slot]:
            if found == mark:
                return False
            slot = (slot + 1) & mask
        table[slot] = mark
        return True

    def _grow(self) -> None:
        old = self._table
        self._mask = self._mask * 2 + 1
        self._table = array("q", bytes(8 * (self._mask + 1)))
        for mark in old:
            if mark:
                self._place(mark)
