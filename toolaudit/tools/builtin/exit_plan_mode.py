"""ExitPlanMode: presents the plan, and goes back to the mode that planning began in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.model import Mode
from toolaudit.structs import replace
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Maybe, OpenInput
from toolaudit.tools.interface import ToolError, ToolResult, build_tool


class ExitPlanModeInput(OpenInput):
    tool: ClassVar[str] = "ExitPlanMode"

    plan: Maybe[str] = Field(None, description="The plan")
    planFilePath: Maybe[str] = Field(None, description="The file that holds it")
    allowedPrompts: Maybe[list[Any]] = Field(None, description="Ignored")


def call(given: ExitPlanModeInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    if (why := validate(given, context)) is not None:
        raise ToolError(why, "not_planning")
    told = "User has approved your plan. You can now start coding."
    plan = f"\n\n## Approved Plan:\n{given.plan}" if given.plan else ""
    return ToolResult(told + plan, context_modifier=_leave)


def validate(given: ExitPlanModeInput, context: ToolUseContext) -> str | None:
    """Why there is no plan to leave, or None."""
    return None if context.permissions.mode is Mode.PLAN else "You are not in plan mode."


def _leave(context: ToolUseContext) -> ToolUseContext:
    now = context.permissions
    if now.mode is not Mode.PLAN:  # the person's answer has chosen the mode already
        return replace(context, permissions=replace(now, before_plan=None))
    return replace(context, permissions=replace(now, mode=now.before_plan or Mode.DEFAULT, before_plan=None))


TOOL = build_tool(
    "ExitPlanMode",
    ExitPlanModeInput,
    call,
    description="Present the plan and start",
    is_read_only=lambda given: True,
    validate_input=validate,
)
