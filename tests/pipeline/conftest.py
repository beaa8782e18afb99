from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from toolaudit.model import Mode, Scope, ToolCall
from toolaudit.model.workspace import RealWorkspace
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.settings import load_objects
from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
from toolaudit.tools.interface import Tool, ToolResult, build_tool

AnyTool = Tool[Any, Any, Any]


class Text(BaseModel):
    """The input of tools made for tests."""

    text: str = ""
    count: int = 1


def make_tool(name: str = "Echo", call: Callable[..., Any] | None = None, **definition: Any) -> AnyTool:
    """A tool that gives back its text, or whatever `call` gives."""
    work = call or (lambda given, context, progress: ToolResult(given.text * given.count))
    return build_tool(name, definition.pop("input_schema", Text), work, **definition)


def call(tool: str = "Echo", **given: Any) -> ToolCall:
    return ToolCall(tool, given, "toolu_1")


def note(outcome: CallOutcome, step: str) -> str:
    """What one step said."""
    return next(entry.note for entry in outcome.trace if entry.stage == step)


def text(outcome: CallOutcome) -> str:
    """The text of the result for the model."""
    assert outcome.block is not None
    content = outcome.block["content"]
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)


Session = Callable[..., ToolUseContext]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A live context with the given tools in a workspace of its own."""
    cwd, home = tmp_path / "work", tmp_path / "home"
    cwd.mkdir()
    home.mkdir()

    def make(
        *tools: AnyTool,
        mode: Mode = Mode.DEFAULT,
        allow: tuple[str, ...] | None = None,
        settings: Mapping[str, Any] | None = None,
        deny: tuple[str, ...] = (),
        ask: tuple[str, ...] = (),
        options: Mapping[str, Any] | None = None,
        **members: Any,
    ) -> ToolUseContext:
        names = [tool.name for tool in tools if tool.name not in ask] if allow is None else list(allow)
        permissions = {"allow": names, "deny": list(deny), "ask": list(ask)}
        policy = load_objects(
            {Scope.USER: {"permissions": permissions, **(settings or {})}}, cwd=str(cwd), home=str(home)
        )
        given = {"results_directory": str(tmp_path / "results"), **(options or {})}
        workspace = RealWorkspace(str(cwd), str(home))
        return ToolUseContext(PermissionContext(policy, mode, workspace), Options(tools=tools, **given), **members)

    return make
