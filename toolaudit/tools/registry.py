"""The only list of all tools, and the pools made from it.

Which tools exist depends on features and on the environment; which of them the model sees, on the policy. Built-in
tools come first and MCP tools after them, each sorted by name: the prompt cache ends after the last built-in tool, so
that a server that comes or goes must not move one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from toolaudit.model import Behavior, Policy, Rule
from toolaudit.rules.names import tool_rules
from toolaudit.structs import Struct
from toolaudit.tools import pool

if TYPE_CHECKING:
    from toolaudit.tools.context import PermissionContext
    from toolaudit.tools.interface import Tool

    AnyTool = Tool[Any, Any, Any]

Environment = Mapping[str, str]
NO_ENVIRONMENT: Final[Environment] = MappingProxyType({})


class Entry(Struct):
    """One row of the list."""

    module: str
    """In `toolaudit.tools.builtin`; its `TOOL` is the tool, its `TOOLS` where it has several."""
    feature: str = ""
    """The tool exists only with this feature."""
    unless: str = ""
    """The tool does not exist with this feature."""
    available: Callable[[Environment], bool] | None = None
    """Whether the environment has what the tool needs."""


def _truthy(environment: Environment, name: str) -> bool:
    return environment.get(name, "").strip().lower() in ("1", "true", "yes", "on")


def _has_powershell(environment: Environment) -> bool:
    """Whether PowerShell is installed; in the seeds it is a tool of Windows alone (documents, 14, row 21)."""
    return shutil.which("pwsh", path=environment.get("PATH")) is not None


BASE: Final[tuple[Entry, ...]] = (
    Entry("agent"),
    Entry("task_output"),
    Entry("task_stop"),
    Entry("bash"),
    Entry("monitor"),
    Entry("glob", unless="embedded_search"),
    Entry("grep", unless="embedded_search"),
    Entry("read"),
    Entry("edit"),
    Entry("write"),
    Entry("notebook_edit"),
    Entry("web_fetch"),
    Entry("web_search"),
    Entry("skill"),
    Entry("ask_user_question"),
    Entry("enter_plan_mode"),
    Entry("exit_plan_mode"),
    Entry("task_create"),
    Entry("task_get"),
    Entry("task_list"),
    Entry("task_update"),
    Entry("tool_search"),
    Entry("unavailable"),
    Entry("enter_worktree", feature="worktrees"),
    Entry("exit_worktree", feature="worktrees"),
    Entry("powershell", available=_has_powershell),
    Entry("todo_write", feature="todo_list"),
    Entry("multi_edit", feature="multi_edit"),
)
"""Every built-in tool there is: those always there first, then those behind a feature."""

FEATURES: Final = frozenset({"worktrees"})
"""The features of a session that says nothing else."""

SIMPLE: Final = ("Bash", "Read", "Edit")
"""All that `CLAUDE_CODE_SIMPLE` leaves."""


def all_base_tools(
    features: Collection[str] = FEATURES, environment: Environment = NO_ENVIRONMENT
) -> tuple[AnyTool, ...]:
    """Every built-in tool of this process, in the order of `BASE`."""
    return tuple(tool for entry in BASE if _exists(entry, features, environment) for tool in _load(entry.module))


def _exists(entry: Entry, features: Collection[str], environment: Environment) -> bool:
    if entry.feature and entry.feature not in features:
        return False
    if entry.unless and entry.unless in features:
        return False
    return entry.available is None or entry.available(environment)


def _load(module: str) -> tuple[AnyTool, ...]:
    found = import_module(f"toolaudit.tools.builtin.{module}")
    tools: tuple[AnyTool, ...] = found.TOOLS if hasattr(found, "TOOLS") else (found.TOOL,)
    return tools


def get_tools(
    permissions: PermissionContext,
    features: Collection[str] = FEATURES,
    environment: Environment = NO_ENVIRONMENT,
    base: Iterable[AnyTool] | None = None,
) -> tuple[AnyTool, ...]:
    """The built-in tools that the model sees: not taken out by a deny rule, and enabled.

    `base` stands in for the list of all tools.
    """
    every = all_base_tools(features, environment) if base is None else tuple(base)
    if _truthy(environment, "CLAUDE_CODE_SIMPLE"):
        every = tuple(tool for tool in every if tool.name in SIMPLE)
    return tuple(tool for tool in without_denied(every, permissions.policy) if tool.is_enabled())


def assemble_tool_pool(
    permissions: PermissionContext,
    mcp_tools: Iterable[AnyTool],
    features: Collection[str] = FEATURES,
    environment: Environment = NO_ENVIRONMENT,
    base: Iterable[AnyTool] | None = None,
) -> tuple[AnyTool, ...]:
    """The whole pool: built-in tools by name, then MCP tools by name; of one name, the first."""
    built_in = sorted(get_tools(permissions, features, environment, base), key=_by_name)
    served = sorted(without_denied(mcp_tools, permissions.policy), key=_by_name)
    first: dict[str, AnyTool] = {}
    for tool in (*built_in, *served):
        first.setdefault(tool.name, tool)
    return tuple(first.values())


def _by_name(tool: AnyTool) -> str:
    return tool.name


def without_denied(tools: Iterable[AnyTool], policy: Policy) -> tuple[AnyTool, ...]:
    """The tools that no deny rule takes out."""
    return tuple(tool for tool in tools if removed_by(tool, policy) is None)


def removed_by(tool: AnyTool, policy: Policy) -> Rule | str | None:
    """What keeps `tool` from the model: a deny rule, or a reason in words; None: nothing."""
    if tool.source == "built-in" and tool.name in pool.BUILT_IN:
        return pool.removed(tool.name, policy)
    return tool_rules(policy, Behavior.DENY, tool.name).bare
