"""The built-in file tools on their way through all fourteen steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from toolaudit.model import Behavior, Mode, Scope, ToolCall
from toolaudit.model.workspace import RealWorkspace
from toolaudit.pipeline.live import run_call
from toolaudit.settings import load_objects
from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
from toolaudit.tools.effects.commands import Unconfined
from toolaudit.tools.registry import all_base_tools


@pytest.fixture
def context(tmp_path: Path) -> ToolUseContext:
    root, home = tmp_path / "work", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    rules = {"permissions": {"deny": ["Read(.env)"], "allow": ["Edit(~/**)", "Bash"]}}
    policy = load_objects({Scope.USER: rules}, cwd=str(root), home=str(home))
    workspace = RealWorkspace(str(root), str(home))
    return ToolUseContext(
        PermissionContext(policy, Mode.ACCEPT_EDITS, workspace), Options(tools=all_base_tools(frozenset()))
    )


def run(context: ToolUseContext, tool: str, **given: Any) -> tuple[Behavior, str]:
    outcome = run_call(ToolCall(tool, given, "toolu_1"), context)
    assert outcome.decision is not None
    return outcome.decision.behavior, str(outcome.block["content"])


def test_a_file_that_may_be_read_is_edited_unread(context: ToolUseContext, tmp_path: Path) -> None:
    for name in ("work/a.txt", "home/b.txt"):
        (tmp_path / name).write_text("one\n")
        behavior, _ = run(context, "Edit", file_path=str(tmp_path / name), old_string="one", new_string="1")
        assert behavior is Behavior.ALLOW
        assert (tmp_path / name).read_text() == "1\n"


def test_searches_show_nothing_that_is_denied(context: ToolUseContext, tmp_path: Path) -> None:
    for name in ("a.txt", ".env"):
        (tmp_path / "work" / name).write_text("key\n")
    assert run(context, "Grep", pattern="key") == (Behavior.ALLOW, "Found 1 file\na.txt")
    assert run(context, "Glob", pattern="*") == (Behavior.ALLOW, "a.txt")


def test_paths_begin_where_the_shell_stands(context: ToolUseContext, tmp_path: Path) -> None:
    folder = tmp_path / "work/sub"
    folder.mkdir()
    moved = replace(context, permissions=replace(context.permissions, directory=str(folder)))
    assert run(moved, "Write", file_path="a.txt", content="x")[0] is Behavior.ALLOW
    assert (folder / "a.txt").read_text() == "x"
    assert run(moved, "Read", file_path="a.txt") == (Behavior.ALLOW, "1\tx")


def test_a_long_failure_keeps_its_beginning_and_its_end(context: ToolUseContext) -> None:
    context = replace(context, options=replace(context.options, runner=Unconfined()))
    _, text = run(context, "Bash", command="seq 1 20000; exit 3")
    context.tasks.close()
    assert text.startswith("Exit code 3\n1\n2\n")
    assert "\n\n... [20012 characters truncated] ...\n\n" in text
    assert len(text) == 10_040
