"""The built-in file tools on their way through all fourteen steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolaudit.model import Behavior, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import RealWorkspace
from toolaudit.pipeline.live import run_call
from toolaudit.pipeline.prompting import Answer, Question
from toolaudit.settings import load_objects
from toolaudit.structs import replace
from toolaudit.tools.context import Options, PermissionContext, Prompter, ToolUseContext
from toolaudit.tools.effects.commands import Refusing, Unconfined
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


@pytest.fixture
def moved(context: ToolUseContext, tmp_path: Path) -> ToolUseContext:
    """The shell stands in a folder of the workspace."""
    folder = tmp_path / "work/sub"
    folder.mkdir()
    (folder / "secret.txt").write_text("s\n")
    (folder / "a.txt").write_text("x\n")
    (tmp_path / "work/secret.txt").write_text("t\n")
    rules = {"permissions": {"deny": ["Read(./sub/secret.txt)", "Edit(./sub/secret.txt)"]}}
    workspace = context.permissions.workspace
    policy = load_objects({Scope.PROJECT: rules}, cwd=workspace.cwd, home=workspace.home)
    return replace(context, permissions=replace(context.permissions, policy=policy, directory=str(folder)))


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Bash", {"command": "cat secret.txt"}, Behavior.DENY),
        ("Bash", {"command": "echo x > secret.txt"}, Behavior.DENY),
        ("Bash", {"command": "cat ../secret.txt"}, Behavior.ALLOW),
        ("Bash", {"command": "touch ../made.txt"}, Behavior.ALLOW),
        ("Bash", {"command": "cat ../../x"}, Behavior.ASK),
        ("Bash", {"command": "rm -rf ."}, Behavior.ASK),
        ("Bash", {"command": "rm -rf ../sub"}, Behavior.ASK),
        ("Bash", {"command": "rm -rf $PWD"}, Behavior.ASK),
        ("Bash", {"command": "rm a.txt"}, Behavior.ALLOW),
        ("Read", {"file_path": "secret.txt"}, Behavior.DENY),
        ("Read", {"file_path": "a.txt"}, Behavior.ALLOW),
        ("Edit", {"file_path": "a.txt", "old_string": "x", "new_string": "y"}, Behavior.ALLOW),
        ("Edit", {"file_path": "secret.txt", "old_string": "s", "new_string": "y"}, Behavior.DENY),
        ("Write", {"file_path": "b.txt", "content": "x"}, Behavior.ALLOW),
    ],
    ids=lambda value: str(value)[:50],
)
def test_paths_begin_where_the_shell_stands(
    moved: ToolUseContext, tool: str, given: dict[str, str], expected: Behavior
) -> None:
    """Measured."""
    outcome = run_call(
        ToolCall(tool, given, "toolu_1"), replace(moved, options=replace(moved.options, runner=Refusing()))
    )
    found = outcome.decision or outcome.end
    assert found is not None
    assert found.behavior is expected


def test_a_long_failure_keeps_its_beginning_and_its_end(context: ToolUseContext) -> None:
    context = replace(context, options=replace(context.options, runner=Unconfined()))
    _, text = run(context, "Bash", command="seq 1 20000; exit 3")
    context.tasks.close()
    assert text.startswith("Exit code 3\n1\n2\n")
    assert "\n\n... [20012 characters truncated] ...\n\n" in text
    assert len(text) == 10_040


def test_a_sed_edit_is_done_as_the_person_saw_it(context: ToolUseContext, tmp_path: Path) -> None:
    path = tmp_path / "work/a.txt"
    path.write_text("one\ntwo\n")
    seen: list[str] = []

    def approve(question: Question) -> Answer:
        seen.append(question.previewed.simulated_sed_edit.after)
        path.write_text("one\nchanged\n")
        return Answer(Behavior.ALLOW, "yes")

    permissions = replace(context.permissions, mode=Mode.DEFAULT, policy=Policy())
    context = replace(
        context,
        permissions=permissions,
        options=replace(context.options, runner=Unconfined()),
        prompter=Prompter(approve),
    )
    outcome = run_call(ToolCall("Bash", {"command": "sed -i s/one/1/ a.txt"}, "toolu_1"), context)
    context.tasks.close()
    assert outcome.executed
    assert seen == ["1\ntwo\n"]
    assert path.read_text() == "1\ntwo\n"
    assert outcome.call.input == {"command": "sed -i s/one/1/ a.txt"}
