from __future__ import annotations

import copy
import pickle
from functools import cached_property

import pytest

from toolaudit.structs import Struct, as_dict, field, replace, values


class Point(Struct):
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

    @property
    def far(self) -> bool:
        return self.x + self.y > 10


class Other(Struct):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


class Counter(Struct, frozen=False):
    count: int = 0


class Place(Struct, eq=False, cached=True):
    path: str

    @cached_property
    def parts(self) -> list[str]:
        return self.path.split("/")


class Nothing(Struct):
    pass


def test_fields_by_position_by_name_and_by_default() -> None:
    assert as_dict(Point(1)) == as_dict(Point(x=1, y=0)) == {"x": 1, "y": 0, "tags": []}
    assert values(Point(1, 2, ["a"])) == (1, 2, ["a"])
    assert repr(Point(1)) == "Point(x=1, y=0, tags=[])"
    assert Point(9, 2).far
    assert Nothing() == Nothing()


@pytest.mark.parametrize("wrong", [lambda: Point(), lambda: Point(1, z=2), lambda: Point(1, x=2), lambda: Nothing(1)])
def test_wrong_arguments_are_told(wrong) -> None:
    with pytest.raises(TypeError, match=r"(Point|Nothing)\.__init__\(\)"):
        wrong()


def test_a_default_is_made_anew() -> None:
    first, second = Point(1), Point(1)
    first.tags.append("a")
    assert second.tags == []


def test_a_struct_does_not_change() -> None:
    point = Point(1)
    for name in ("x", "unknown"):
        with pytest.raises(AttributeError, match=name):
            setattr(point, name, 2)
    with pytest.raises(AttributeError, match="x"):
        del point.x
    assert replace(point, x=3) == Point(3)
    assert point == Point(1)


def test_one_that_is_not_frozen_does() -> None:
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    with pytest.raises(AttributeError):
        counter.unknown = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_compared_by_kind_and_fields_or_by_identity() -> None:
    assert Other(1) == Other(1)
    assert hash(Other(1)) == hash(Other(1))
    assert Other(1) != Other(2)
    assert Other(1) != Point(1, tags=())  # type: ignore[arg-type]
    place = Place("a/b")
    assert place == place
    assert place != Place("a/b")
    assert len({place, Place("a/b")}) == 2


def test_cached_properties_are_kept_and_not_copied() -> None:
    place = Place("a/b")
    assert place.parts is place.parts
    assert replace(place, path="c").parts == ["c"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_are_equal(copied) -> None:
    assert copied(Point(1, 2, ["a"])) == Point(1, 2, ["a"])


def test_patterns_take_fields_by_position() -> None:
    match Other(1, 2):
        case Other(x, y):
            assert (x, y) == (1, 2)
