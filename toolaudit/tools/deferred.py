"""Deferred tools: the model sees their names, and asks for the schemas it wants with ToolSearch.

What was loaded is read from the conversation itself: a result of ToolSearch holds a `tool_reference` for each schema.
So nothing has to be kept in step, and a sub-agent, whose conversation is new, begins with none. A tool that only adds
its name can come and go without the rest of the prompt changing by more than that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from toolaudit.tools.messages import Message

if TYPE_CHECKING:
    from toolaudit.tools.interface import Tool

SEARCH: Final = "ToolSearch"
"""The tool that loads schemas."""

FOUND_MAX: Final = 5
"""How many tools a search by words finds unless it says otherwise."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def expose(tool: Tool[Any, Any, Any], loaded: frozenset[str], prompt: str) -> dict[str, Any]:
    """What the model is sent of `tool`: name and schema, or only its name while its schema is not loaded."""
    if tool.should_defer and tool.name not in loaded:
        return {"name": tool.name, "defer_loading": True}
    return {"name": tool.name, "description": prompt, "input_schema": tool.schema()}


def loaded(messages: Iterable[Message]) -> frozenset[str]:
    """The names of the tools whose schemas stand in the conversation."""
    return frozenset(
        name
        for message in messages
        if not isinstance(message.content, str)
        for block in message.content
        for name in _references(block)
    )


def _references(block: Mapping[str, Any]) -> Iterator[str]:
    inner = block.get("content")
    for one in (block, *(inner if isinstance(inner, Sequence) and not isinstance(inner, str) else ())):
        if isinstance(one, Mapping) and one.get("type") == "tool_reference" and isinstance(one.get("tool_name"), str):
            yield one["tool_name"]


def unloaded_fault(tool: Tool[Any, Any, Any], given: Mapping[str, Any], fault: str | None) -> str:
    """What a call of a tool whose schema was never loaded is told: what is wrong, and how to recover."""
    kinds = {name: row.get("type") for name, row in tool.schema().get("properties", {}).items()}
    strings = [
        name for name, value in given.items() if isinstance(value, str) and kinds.get(name, "string") != "string"
    ]
    typed = (
        f" {', '.join(strings)} came as a string though the schema says otherwise, as happens without it."
        if strings
        else ""
    )
    return (
        f"{fault or 'the schema of this tool was not loaded'}.{typed} "
        f'Load the schema first: call {SEARCH} with the query "select:{tool.name}", then make this call again.'
    )


def search(query: str, tools: Iterable[Tool[Any, Any, Any]], most: int = FOUND_MAX) -> list[Tool[Any, Any, Any]]:
    """The deferred tools that `query` means: `select:A,B` names them, other words are looked for.

    A word with `+` before it must be there; tools with more of the words, and with them in their names, come first.
    """
    offered = [tool for tool in tools if tool.should_defer]
    if query.startswith("select:"):
        wanted = [name.strip() for name in query.removeprefix("select:").split(",")]
        by_name = {name: tool for tool in offered for name in (tool.name, *tool.aliases)}
        return list({by_name[name].name: by_name[name] for name in wanted if name in by_name}.values())
    words = [word.lower() for word in query.split()]
    needed = {word[1:] for word in words if word.startswith("+")}
    every = {word.removeprefix("+") for word in words} - {""}
    scored = [(_score(tool, every, needed), tool) for tool in offered]
    scored = [(score, tool) for score, tool in scored if score]
    return [tool for _, tool in sorted(scored, key=lambda pair: (-pair[0], pair[1].name))][:most]


def _score(tool: Tool[Any, Any, Any], words: set[str], needed: set[str]) -> int:
    name = {part.lower() for part in _WORD.findall(tool.name)} | {tool.name.lower()}
    text = tool.description.lower()
    if any(word not in name and word not in text for word in needed):
        return 0
    return sum(3 if word in name else word in text for word in words)
