"""The shapes a setting may have, and the first place where a value has another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolaudit.settings.parse import describe
from toolaudit.settings.positions import Path
from toolaudit.structs import Struct


class Anything(Struct):
    """Any value at all."""

    expected = "a value"

    def accepts(self, value: object) -> bool:
        return True


class Word(Struct):
    """One of a few strings."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        return " or ".join(f'"{word}"' for word in self.words)

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words


class Scalar(Struct):
    """A string or a boolean."""

    expected: str
    type: type

    def accepts(self, value: object) -> bool:
        return isinstance(value, self.type)


class Number(Struct):
    """A number, but no boolean, in a range."""

    expected: str
    within: Callable[[float], bool]

    def accepts(self, value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and self.within(value)


class ListOf(Struct):
    """A list; `lenient` where the client leaves out an item of the wrong type instead of dropping the file."""

    item: Kind
    lenient: bool = False

    expected = "a list"

    def accepts(self, value: object) -> bool:
        return isinstance(value, list)


class Fields(Struct):
    """An object with known keys."""

    fields: Mapping[str, Kind]
    required: frozenset[str] = frozenset()
    open: bool = False
    """Any other key is fine, too."""

    expected = "an object"

    def accepts(self, value: object) -> bool:
        return isinstance(value, dict)


class MapOf(Struct):
    """An object with any keys and values of one kind."""

    value: Kind

    expected = "an object"

    def accepts(self, value: object) -> bool:
        return isinstance(value, dict)


class Either(Struct):
    """One kind or the other."""

    first: Kind
    second: Kind

    @property
    def expected(self) -> str:
        return f"{self.first.expected} or {self.second.expected}"

    def accepts(self, value: object) -> bool:
        return fault(value, self.first, ()) is None or fault(value, self.second, ()) is None


Kind = Anything | Word | Scalar | Number | ListOf | Fields | MapOf | Either

ANYTHING = Anything()
BOOLEAN = Scalar("true or false", bool)
STRING = Scalar("a string", str)
NUMBER = Number("a number", lambda number: True)
POSITIVE = Number("a number above 0", lambda number: number > 0)
COUNT = Number("a whole number above 0", lambda number: number > 0 and number % 1 == 0)
COUNT_OR_ZERO = Number("a whole number", lambda number: number >= 0 and number % 1 == 0)
SHARE = Number("a number from 0 to 1", lambda number: 0 <= number <= 1)
SHARE_ABOVE_ZERO = Number("a number above 0 and at most 1", lambda number: 0 < number <= 1)
OBJECT = Fields({}, open=True)
LIST = ListOf(ANYTHING)
STRINGS = ListOf(STRING)
OBJECTS = ListOf(OBJECT)


def fault(value: object, kind: Kind, path: Path) -> tuple[str, Path] | None:
    """The first thing in `value`, which stands at `path`, that `kind` does not allow: what and where; or None."""
    if not kind.accepts(value):
        return f"expected {kind.expected} for {dotted(path)}, got {describe(value)}", path
    if isinstance(kind, Fields):
        assert isinstance(value, dict)
        for key in kind.required:
            if key not in value:
                return f"expected the key {key} in {dotted(path)}, got none", path
        for key, item in value.items():
            if key in kind.fields and (found := fault(item, kind.fields[key], (*path, key))):
                return found
    elif isinstance(kind, MapOf):
        assert isinstance(value, dict)
        for key, item in value.items():
            if found := fault(item, kind.value, (*path, key)):
                return found
    elif isinstance(kind, ListOf) and not kind.lenient:
        assert isinstance(value, list)
        for index, item in enumerate(value):
            if found := fault(item, kind.item, (*path, index)):
                return found
    return None


def dotted(path: Path) -> str:
    """`path` as a message names it."""
    return ".".join(str(part) for part in path) or "the settings"
