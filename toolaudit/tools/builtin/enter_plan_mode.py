"""EnterPlanMode: from the next call on, the session only plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from toolaudit.model import Mode
from toolaudit.structs import replace
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input
from toolaudit.tools.interface import ToolError, ToolResult, build_tool


class EnterPlanModeInput(Input):
    tool: ClassVar[str] = "EnterPlanMode"


def call(given: EnterPlanModeInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    if context.agent.id:
        raise ToolError("EnterPlanMode cannot be used in an agent.", "in_agent")
    told = "Entered plan mode. Explore and design now; write or edit no files. Use ExitPlanMode to present the plan."
    return ToolResult(told, context_modifier=_enter)


def _enter(context: ToolUseContext) -> ToolUseContext:
    now = context.permissions
    if now.mode is Mode.PLAN:
        return context
    return replace(context, permissions=replace(now, mode=Mode.PLAN, before_plan=now.mode))


TOOL = build_tool(
    "EnterPlanMode", EnterPlanModeInput, call, description="Plan before doing", is_read_only=lambda given: True
)
