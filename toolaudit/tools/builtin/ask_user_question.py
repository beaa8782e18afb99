"""AskUserQuestion: asks a person. The permission prompt is the question; its answer comes back in the input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Input, Maybe
from toolaudit.tools.interface import ToolError, ToolResult, build_tool


class AskUserQuestionInput(Input):
    tool: ClassVar[str] = "AskUserQuestion"

    questions: list[dict[str, Any]] = Field(
        description="Each with question, header, options (label and description each), and multiSelect"
    )
    answers: Maybe[dict[str, Any]] = Field(None, description="Question -> answer, put in by whoever asks the person")
    annotations: Maybe[dict[str, Any]] = Field(None, description="Question -> what the person wrote beside it")
    metadata: Maybe[dict[str, Any]] = Field(None, description="Anything to keep with the questions")


def call(given: AskUserQuestionInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    if not given.answers:
        raise ToolError("Nobody answered the questions.", "no_answer")
    answered = ", ".join(f'"{question}"="{_one(answer)}"' for question, answer in given.answers.items())
    return ToolResult(f"User has answered your questions: {answered}.")


def _one(answer: object) -> str:
    return ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


TOOL = build_tool(
    "AskUserQuestion",
    AskUserQuestionInput,
    call,
    description="Ask the user",
    is_concurrency_safe=lambda given: True,
    is_read_only=lambda given: True,
)
