"""The pool as a table: what the model sees of each tool, what it needs before it runs, and what took a tool out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from toolaudit.model import Mode, Policy, Rule
from toolaudit.structs import Struct
from toolaudit.tools import pool, registry
from toolaudit.tools.builtin.unavailable import NEEDS
from toolaudit.tools.pool import Need

if TYPE_CHECKING:
    from toolaudit.tools.interface import Tool

    AnyTool = Tool[Any, Any, Any]

Answer = Literal["yes", "no", "by input"]


class Row(Struct):
    """One tool."""

    name: str
    source: str
    """`built-in`, or the MCP server that offers it."""
    deferred: bool | None
    """The model sees only its name at first; None: not known, as the tool can't be run here."""
    read_only: Answer | None
    concurrency_safe: Answer | None
    result_limit: int | None
    """Characters; None: no limit, or not known."""
    before: str
    """What stands between a call and its running, in this mode, before rules."""
    runs: bool
    """Whether calls of it can be carried out here; those of any other tool are only decided."""
    removed: Rule | str | None
    """What keeps it from the model."""


class _Untouched:
    """An input of which nothing is known: whoever asks it anything depends on the input."""

    def __getattribute__(self, name: str) -> Any:
        raise LookupError(name)


def rows(
    policy: Policy, mode: Mode, mcp_tools: Iterable[AnyTool] = (), features: Collection[str] = registry.FEATURES
) -> tuple[Row, ...]:
    """Every tool there may be, in the order of the pool: built-in tools by name, then MCP tools by name."""
    tools = {tool.name: tool for tool in registry.all_base_tools(features)}
    built_in = [
        _row(tools[name], policy, mode) if name in tools else _stranger(name, policy, mode)
        for name in sorted(tools.keys() | pool.BUILT_IN.keys())
    ]
    return (*built_in, *(_row(tool, policy, mode) for tool in sorted(mcp_tools, key=lambda tool: tool.name)))


def _row(tool: AnyTool, policy: Policy, mode: Mode) -> Row:
    limit = tool.max_result_size_chars
    return Row(
        tool.name,
        tool.source,
        tool.should_defer,
        _answer(tool.is_read_only),
        _answer(tool.is_concurrency_safe),
        None if math.isinf(limit) else int(limit),
        _before(tool.name, policy, mode),
        tool.name not in NEEDS,
        registry.removed_by(tool, policy) or (None if tool.is_enabled() else "it is not enabled here"),
    )


def _stranger(name: str, policy: Policy, mode: Mode) -> Row:
    reads = "yes" if pool.BUILT_IN[name].read_only else None
    gone = pool.removed(name, policy)
    return Row(name, "built-in", None, reads, None, None, _before(name, policy, mode), False, gone)  # type: ignore[arg-type]


def _answer(question: Callable[[Any], bool]) -> Answer:
    try:
        return "yes" if question(_Untouched()) else "no"
    except Exception:
        return "by input"


def _before(name: str, policy: Policy, mode: Mode) -> str:
    need = pool.BUILT_IN[name].need if name in pool.BUILT_IN else Need.APPROVAL
    classifies = mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)
    match need:
        case Need.PERSON:
            return "denied" if mode is Mode.DONT_ASK else "a person"
        case Need.CLASSIFIER:
            return "the classifier" if classifies else "nothing"
        case Need.APPROVAL if mode is Mode.BYPASS:
            return "nothing"
        case Need.APPROVAL if mode is Mode.DONT_ASK:
            return "an allow rule"
        case Need.APPROVAL:
            return "the classifier" if classifies else "approval"
        case Need.OWN_CHECK:
            return "its own check"
        case _:
            return "nothing"


class _Anything(BaseModel):
    model_config = ConfigDict(extra="allow")


def named_tool(name: str) -> AnyTool:
    """An MCP tool of which only the name is known: deferred, as all of them are, and for the rest as careful as can be.

    `name` is `mcp__SERVER__TOOL`.
    """
    from toolaudit.tools.interface import build_tool

    return build_tool(name, _Anything, _unreachable, source=name.split("__", 2)[1], should_defer=True)


def _unreachable(*given: Any) -> Any:
    raise LookupError("only the tool's name is known, not its server")
