"""Structs: objects with named fields, like frozen dataclasses with slots, and far cheaper to define.

A dataclass compiles half a dozen methods while its class is defined, half a millisecond each time, and `dataclasses`
itself brings `inspect`, `ast` and `tokenize` along. A one-shot `check` defines some seventy such classes and makes
objects of half of them. A struct compiles one method, its `__init__`, and that when its first object is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

if TYPE_CHECKING:
    S = TypeVar("S", bound="Struct")


class _Fresh:
    """A default that is made anew for each object."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


_MISSING = object()


def field(*, default_factory: Callable[[], Any]) -> Any:
    """The default of a field whose value must not be shared between objects."""
    return _Fresh(default_factory)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _StructType(type):
    """Makes the annotated names of a class body its fields, in their order, with the values there as defaults."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        body: dict[str, Any],
        *,
        frozen: bool = True,
        eq: bool = True,
        cached: bool = False,
    ) -> _StructType:
        """With `frozen` False, fields can be set; with `eq` False, objects are compared by identity.

        With `cached`, objects have room for cached properties.
        """
        # INVARIANT: annotations are strings here, so a module with structs needs the import from __future__.
        fields = tuple(name for name, kind in body.get("__annotations__", {}).items() if "ClassVar" not in kind)
        defaults = {name: body.pop(name) for name in fields if name in body}
        body |= {
            "__slots__": (*fields, "__dict__") if cached else fields,
            "__match_args__": fields,
            "_defaults": defaults,
        }
        if not frozen:
            body |= {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__, "__hash__": None}
        if not eq:
            body |= {"__eq__": object.__eq__, "__hash__": object.__hash__}
        return super().__new__(mcs, name, bases, body)


class Struct(metaclass=_StructType):
    """The base of all structs. A struct does not hand its fields down to subclasses."""

    if TYPE_CHECKING:
        __match_args__: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[Mapping[str, Any]]
    else:

        def __init__(self, *args, **given):
            # Gives way to the real one when the first object is made.
            type(self).__init__ = _compile(type(self))
            self.__init__(*args, **given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change: {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change: {name} can't be deleted")

    def __eq__(self, other: object) -> bool:
        return values(self) == values(other) if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(values(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in as_dict(self).items())})"

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), values(self)


def replace(struct: S, **changes: Any) -> S:
    """A struct like `struct` but for the fields in `changes`."""
    fields = [changes.pop(name) if name in changes else getattr(struct, name) for name in struct.__match_args__]
    return type(struct)(*fields, **changes)


def as_dict(struct: Struct) -> dict[str, Any]:
    """The fields of `struct` and their values, in order; the values as they are."""
    return dict(zip(struct.__match_args__, values(struct), strict=True))


def values(struct: Struct) -> tuple[Any, ...]:
    """The values of the fields of `struct`, in order."""
    return tuple([getattr(struct, name) for name in struct.__match_args__])


def _compile(cls: type[Struct]) -> Callable[..., None]:
    """The `__init__` of a class: a parameter for each field. A frozen object is open while its fields are stored.

    Storing through the slots, past `__setattr__`, would cost four times as much.
    """
    names: dict[str, Any] = {}
    parameters: list[str] = ["self"]
    stores: list[str] = []
    for name in cls.__match_args__:
        value, default = name, cls._defaults.get(name, _MISSING)
        if isinstance(default, _Fresh):
            names[f"_make_{name}"], default = default.make, ...
            value = f"_make_{name}() if {name} is ... else {name}"
        if default is not _MISSING:
            names[f"_default_{name}"] = default
        parameters.append(name if default is _MISSING else f"{name}=_default_{name}")
        stores.append(f"self.{name} = {value}")
    if stores and cls.__setattr__ is Struct.__setattr__:
        names |= {"_open": object.__dict__["__class__"].__set__, "_Open": _opened(cls), "_Closed": cls}
        stores = ["_open(self, _Open)", *stores, "self.__class__ = _Closed"]
    # The text holds nothing but field names of this program.
    exec(f"def __init__({', '.join(parameters)}): {'; '.join(stores) or 'pass'}", names)  # noqa: S102
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _opened(cls: type[Struct]) -> type[Struct]:
    """A class of the same layout whose objects can be changed."""
    body = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type.__new__(type(cls), cls.__name__, (cls,), body)
