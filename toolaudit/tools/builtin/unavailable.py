"""Tools that the client offers and that have nothing to do here: they need its servers, its editor or its terminal.

They are in the pool, checked and decided about like any other, and fail by name when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

from toolaudit.tools import schema
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import OpenInput, classifier_text, input_of
from toolaudit.tools.interface import Tool, ToolError, build_tool
from toolaudit.tools.pool import BUILT_IN

NEEDS: Final = {
    "Artifact": "the client's server",
    "CronCreate": "the client's scheduler",
    "CronDelete": "the client's scheduler",
    "CronList": "the client's scheduler",
    "EndConversation": "the client's own loop",
    "LSP": "a language server",
    "ListAgents": "the client's agents",
    "PushNotification": "a device",
    "RemoteTrigger": "the client's server",
    "ReportFindings": "the client's review",
    "ScheduleWakeup": "the client's scheduler",
    "SendMessage": "the client's agents",
    "SendUserFile": "the client's terminal",
    "ShareOnboardingGuide": "the client's server",
    "Workflow": "the client's workflows",
}
"""Tool -> what it would need."""


def _build(name: str) -> Tool[Any, Any, Any]:
    def call(given: Any, context: ToolUseContext, report: Callable[[Any], None]) -> NoReturn:
        raise ToolError(f"{name} is not available here: it needs {NEEDS[name]}.", "unavailable")

    return build_tool(
        name,
        input_of(name) if name in schema.SCHEMAS else OpenInput,
        call,
        aliases=BUILT_IN[name].aliases,
        description=f"Not available here: needs {NEEDS[name]}",
        is_read_only=lambda given: BUILT_IN[name].read_only,
        to_auto_classifier_input=classifier_text(name),
    )


TOOLS: Final = tuple(_build(name) for name in NEEDS)
