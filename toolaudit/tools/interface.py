"""The interface every capability of an agent has, and the factory that fills in what a definition leaves out.

A definition never makes a `Tool` by itself: `build_tool` spreads the fail-closed defaults under it. What is forgotten
makes a tool slower or asks more often, never the other way round:

    forgotten                     the tool then
    is_concurrency_safe           runs alone
    is_read_only                  counts as a write
    to_auto_classifier_input      shows the classifier nothing, which leaves the call to the ordinary way
    check_permissions             has no objection of its own; that grants nothing

Whether an input is safe depends on the input, so these members take it, parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from toolaudit.model import Behavior

if TYPE_CHECKING:
    from toolaudit.tools.context import ToolUseContext
    from toolaudit.tools.messages import Message

Input = TypeVar("Input", bound=BaseModel)
Output = TypeVar("Output")
Progress = TypeVar("Progress")

Block = Mapping[str, Any]
"""A content block of the Messages API."""


@dataclass(frozen=True, slots=True)
class ToolResult(Generic[Output]):
    """What a call gives back."""

    data: Output
    new_messages: tuple[Message, ...] = ()
    """Messages to append to the conversation after the result."""
    context_modifier: Callable[[ToolUseContext], ToolUseContext] | None = None
    """The only way in which a tool changes the context of later calls."""


@dataclass(frozen=True, slots=True)
class PermissionResult:
    """A tool's own word on one call. Allow means that the tool has no objection; it grants nothing."""

    behavior: Behavior = Behavior.ALLOW
    why: str = ""
    updated_input: Mapping[str, Any] | None = None
    classifier_approvable: bool = True


@dataclass(frozen=True, slots=True)
class Tool(Generic[Input, Output, Progress]):
    """One capability that describes itself. Made by `build_tool` only."""

    name: str
    input_schema: type[Input]
    call: Callable[[Input, ToolUseContext, Callable[[Progress], None]], ToolResult[Output]]
    """Does the work. Raises ToolError for a failure that the model should read."""
    aliases: tuple[str, ...]
    """Former names, under which old transcripts may call it."""
    output_schema: type[BaseModel] | None
    description: str
    """One line, shown where the schema is not."""
    prompt: Callable[[ToolUseContext], str]
    """The whole text that the model reads about the tool."""
    is_enabled: Callable[[], bool]
    is_concurrency_safe: Callable[[Input], bool]
    is_read_only: Callable[[Input], bool]
    is_destructive: Callable[[Input], bool]
    """What it does can't be undone."""
    check_permissions: Callable[[Input, ToolUseContext], PermissionResult]
    validate_input: Callable[[Input, ToolUseContext], str | None]
    """Why an input that fits the schema makes no sense here; None: it does."""
    preview: Callable[[Input, ToolUseContext], Input | None]
    """The same input holding what it will do, computed beforehand, where a person can be shown that; None: not so. What
    was approved is then what is done."""
    backfill: Callable[[Mapping[str, Any], ToolUseContext], Mapping[str, Any]]
    """The raw input with derived fields, for hooks and permissions; the transcript keeps the original."""
    max_result_size_chars: float
    """A longer result is kept in a file and shown as a preview; infinite: never."""
    should_defer: bool
    """The model sees only the name until it asks for the schema."""
    to_auto_classifier_input: Callable[[Input], str]
    map_result_to_block: Callable[[Output, str], Block]
    """The `tool_result` block for the call with the id given second."""
    user_facing_name: Callable[[Input | None], str]
    source: str
    """`built-in`, or the MCP server that offers it."""
    json_schema: Mapping[str, Any] | None
    """The input's JSON Schema where it comes from elsewhere than `input_schema`, as an MCP server's does."""

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the input, as it is sent to the model."""
        return self.json_schema if self.json_schema is not None else self.input_schema.model_json_schema()


class ToolError(Exception):
    """A failure in the words the model reads. `code` is a short name that telemetry may carry, the message never."""

    def __init__(self, message: str, code: str = "tool_error") -> None:
        super().__init__(message)
        self.code = code


DEFAULT_RESULT_CHARS = 50_000
"""The most characters of a result that stay inline unless the tool says otherwise (documents, 13)."""


def _text_block(data: object, tool_use_id: str) -> Block:
    text = data.model_dump_json() if isinstance(data, BaseModel) else str(data)
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": text}


SAFE_DEFAULTS: Mapping[str, Any] = {
    "aliases": (),
    "output_schema": None,
    "description": "",
    "is_enabled": lambda: True,
    "is_concurrency_safe": lambda given: False,
    "is_read_only": lambda given: False,
    "is_destructive": lambda given: False,
    "check_permissions": lambda given, context: PermissionResult(),
    "validate_input": lambda given, context: None,
    "preview": lambda given, context: None,
    "backfill": lambda raw, context: raw,
    "max_result_size_chars": DEFAULT_RESULT_CHARS,
    "should_defer": False,
    "to_auto_classifier_input": lambda given: "",
    "map_result_to_block": _text_block,
    "source": "built-in",
    "json_schema": None,
}
"""What a definition that says nothing gets; `prompt` falls back to the description, `user_facing_name` to the name."""


def build_tool(
    name: str,
    input_schema: type[Input],
    call: Callable[[Input, ToolUseContext, Callable[[Any], None]], ToolResult[Output]],
    **definition: Any,
) -> Tool[Input, Output, Any]:
    """The tool of a definition, over the defaults. Raises TypeError for a member that tools do not have."""
    members: dict[str, Any] = {**SAFE_DEFAULTS, **definition}
    members.setdefault("prompt", lambda context: members["description"])
    members.setdefault("user_facing_name", lambda given: name)
    return Tool(name=name, input_schema=input_schema, call=call, **members)
