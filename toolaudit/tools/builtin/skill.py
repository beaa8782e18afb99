"""Skill: puts the text of a skill of the workspace, or of the home directory, before the model."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field

from toolaudit.tools import skills
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.inputs import Maybe, OpenInput, classifier_text
from toolaudit.tools.interface import ToolError, ToolResult, build_tool
from toolaudit.tools.messages import Message


class SkillInput(OpenInput):
    tool: ClassVar[str] = "Skill"

    skill: str = Field(description="The name of the skill")
    args: Maybe[str] = Field(None, description="What to tell it")


def call(given: SkillInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[str]:
    if (why := validate(given, context)) is not None:
        raise ToolError(why, "no_such_skill")
    name = _name(given)
    file = skills.find_file(name, context.permissions.workspace)
    if file is None:
        raise ToolError(f"The skill {name} comes with the client; its text is not here.", "no_text")
    path, text = file
    text = _filled(skills.body(text), given.args or "", posixpath.dirname(path))
    message = Message("user", text, origin=f"Skill {name}")
    return ToolResult(f"Launching skill: {name}", new_messages=(message,))


def _name(given: SkillInput) -> str:
    return given.skill.strip().removeprefix("/")


def _filled(text: str, arguments: str, folder: str) -> str:
    """The text with the arguments in it, or after it where it does not say where; commands in it are not run."""
    text = text.replace("${CLAUDE_SKILL_DIR}", folder)
    if "$ARGUMENTS" in text:
        text = text.replace("$ARGUMENTS", arguments)
    elif arguments:
        text = f"{text.rstrip()}\n\nARGUMENTS: {arguments}"
    return f"Base directory for this skill: {folder}\n\n{text}"


def validate(given: SkillInput, context: ToolUseContext) -> str | None:
    """Why the skill can't be launched, or None."""
    found = skills.find_skill(_name(given), context.permissions.workspace)
    if found is None:
        return f"Unknown skill: {_name(given)}"
    return None if found.callable else f"The model may not call the skill {_name(given)}."


TOOL = build_tool(
    "Skill",
    SkillInput,
    call,
    description="Launch a skill",
    validate_input=validate,
    to_auto_classifier_input=classifier_text("Skill"),
)
