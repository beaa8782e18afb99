"""What the inputs of all built-in tools share: the client's idea of types, and JSON Schemas as plain as the client's.

The measured rows of `toolaudit.tools.schema` say which raw inputs are accepted. A class here says the same in its
fields, and what comes out is of the right type: a number given as a string of digits is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar, Union

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator
from pydantic.json_schema import SkipJsonSchema

from toolaudit.model import ToolCall
from toolaudit.tools import schema
from toolaudit.tools.shown import shown

_HIDDEN: Any = SkipJsonSchema()  # type: ignore[type-arg]
T = TypeVar("T")
Maybe: TypeAlias = Union[T, Annotated[None, _HIDDEN]]  # noqa: UP007
"""A parameter that may be left out, but not given as null."""


def _number(value: object) -> object:
    if not schema.fits(value, schema.NUMBER):
        raise ValueError("must be a number")
    return float(value) if isinstance(value, str) and "." in value else value


def _integer(value: object) -> object:
    if not schema.fits(value, schema.INTEGER):
        raise ValueError("must be a whole number")
    return value


def _flag(value: object) -> object:
    if not schema.fits(value, schema.BOOLEAN):
        raise ValueError("must be true or false")
    return value in (True, "true")


Number = Annotated[float, BeforeValidator(_number)]
Integer = Annotated[int, BeforeValidator(_integer)]
Flag = Annotated[bool, BeforeValidator(_flag)]


def _plain(generated: dict[str, Any]) -> None:
    generated.pop("title", None)
    for field in generated.get("properties", {}).values():
        field.pop("title", None)
        if field.get("default", ...) is None:
            del field["default"]


class Input(BaseModel):
    """The input of a tool that refuses parameters it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False, json_schema_extra=_plain)

    tool: ClassVar[str] = ""
    """The canonical name, where a measured row says more than types do."""

    @model_validator(mode="before")
    @classmethod
    def _measured(cls, raw: Any) -> Any:
        if isinstance(raw, Mapping) and (why := schema.fault(cls.tool, raw)) is not None:
            raise ValueError(why)
        return raw


class OpenInput(Input):
    """The input of a tool that lets parameters pass that it does not know."""

    model_config = ConfigDict(extra="allow")


_TYPES: Mapping[str, Any] = {
    schema.STRING: str,
    schema.NUMBER: Number,
    schema.INTEGER: Integer,
    schema.BOOLEAN: Flag,
    schema.ARRAY: list[Any],
    schema.OBJECT: dict[str, Any],
    schema.ANY: Any,
}


def input_of(tool: str) -> type[Input]:
    """The class that a measured row describes, for a tool of which no more is known."""
    row = schema.SCHEMAS[tool]
    fields: dict[str, Any] = {}
    for name, kind in {**row.required, **row.optional}.items():
        choices = row.choices.get(name)
        described: Any = Literal[tuple(sorted(choices))] if choices else _TYPES[kind]
        required = name in row.required
        fields[name] = (described, ...) if required else (described | Annotated[None, _HIDDEN], Field(None))
    made: type[Input] = create_model(f"{tool}Input", __base__=Input if row.closed else OpenInput, **fields)
    made.tool = tool
    return made


def classifier_text(tool: str) -> Callable[[Input], str]:
    """What the auto-mode classifier is shown of a call: the telling parameters, as they were given."""
    return lambda given: shown(ToolCall(tool, given.model_dump(by_alias=True, exclude_unset=True)))
