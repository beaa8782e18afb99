"""A word while it is being put together from its parts."""

from __future__ import annotations

from toolaudit.shell.reading import Shape, Word
from toolaudit.shell.state import State


class Parts:
    """What the parts read so far make of the word: `shape` only grows, `value` counts while it is STATIC."""

    __slots__ = ("assignment", "features", "open_bracket", "shape", "start", "value")

    def __init__(self, start: int, *, assignment: bool = False) -> None:
        self.start = start
        self.assignment = assignment
        """One word whatever it expands to: in an assignment nothing splits and nothing is globbed."""
        self.shape = Shape.STATIC
        self.value: list[str] = []
        self.features: set[str] = set()
        self.open_bracket = False
        """An unquoted `[` came by, and an unquoted `]` would make a pattern of it."""

    def unknown(self, feature: str, *, many: bool = False) -> None:
        """Take in a part whose value only run time knows."""
        self.features.add(feature)
        if many and not self.assignment:
            self.shape = Shape.MANY
        elif self.shape is Shape.STATIC:
            self.shape = Shape.ONE

    def word(self, state: State, end: int) -> Word:
        """The finished word, up to `end`."""
        value = "".join(self.value) if self.shape is Shape.STATIC else None
        return Word(state.slice(self.start, end), self.shape, value, (self.start, end), frozenset(self.features))
