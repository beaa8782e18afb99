"""The list of tasks that the Task tools keep in the state of a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolaudit.structs import Struct
from toolaudit.tools.context import ToolUseContext

KEY: Final = "task_list"
"""Where the list is kept in the state."""


class Item(Struct):
    """One thing to do."""

    id: str
    subject: str
    description: str
    active_form: str = ""
    status: str = "pending"
    owner: str = ""
    blocks: tuple[str, ...] = ()
    """The tasks that wait for this one."""
    metadata: Mapping[str, Any] = {}


Items = Mapping[str, Item]


def items(context: ToolUseContext) -> Items:
    """Id -> task, oldest first."""
    found: Items = context.app.get(KEY) or {}
    return found


def change(context: ToolUseContext, how: Callable[[Items], Items]) -> None:
    """Replaces the list by what `how` makes of it, in one step."""
    context.app.update(KEY, lambda old: how(old or {}))


def blockers(item_id: str, every: Items) -> tuple[str, ...]:
    """The unfinished tasks that a task waits for."""
    return tuple(other.id for other in every.values() if item_id in other.blocks and other.status != "completed")
