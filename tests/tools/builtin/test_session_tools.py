"""Tools that change the session: plan mode, worktrees, background tasks, lists, skills, questions."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.model import Mode
from toolaudit.structs import replace
from toolaudit.tools.builtin import (
    ask_user_question,
    bash,
    enter_plan_mode,
    enter_worktree,
    exit_plan_mode,
    exit_worktree,
    monitor,
    powershell,
    read,
    skill,
    task_create,
    task_get,
    task_list,
    task_output,
    task_stop,
    task_update,
    todo_write,
    tool_search,
    unavailable,
)
from toolaudit.tools.context import AgentContext, create_subagent_context
from toolaudit.tools.interface import ToolError, build_tool

BASH, ENTER, EXIT = bash.TOOL, enter_worktree.TOOL, exit_worktree.TOOL


@pytest.mark.parametrize("before", [Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.BYPASS])
def test_planning_ends_in_the_mode_it_began_in(bench: Bench, before: Mode) -> None:
    bench.set_mode(before)
    bench.run(enter_plan_mode.TOOL)
    assert (bench.context.permissions.mode, bench.context.permissions.before_plan) == (Mode.PLAN, before)
    bench.run(enter_plan_mode.TOOL)
    assert bench.context.permissions.before_plan is before
    shown = bench.run(exit_plan_mode.TOOL, plan="1. do it")
    assert shown.startswith("User has approved your plan. You can now start coding.")
    assert shown.endswith("1. do it")
    assert (bench.context.permissions.mode, bench.context.permissions.before_plan) == (before, None)
    assert bench.fail(exit_plan_mode.TOOL).code == "not_planning"


def test_the_mode_that_a_person_chose_stays(bench: Bench) -> None:
    bench.run(enter_plan_mode.TOOL)
    result = exit_plan_mode.TOOL.call(exit_plan_mode.ExitPlanModeInput(), bench.context, print)
    bench.set_mode(Mode.ACCEPT_EDITS)
    assert result.context_modifier is not None
    assert result.context_modifier(bench.context).permissions.mode is Mode.ACCEPT_EDITS


def test_an_agent_does_not_plan(bench: Bench) -> None:
    bench.context = replace(bench.context, agent=AgentContext("a1"))
    assert bench.fail(enter_plan_mode.TOOL).code == "in_agent"


def test_a_worktree_is_made_entered_left_and_removed(repository: Bench) -> None:
    root, path = repository.root, repository.root / ".claude/worktrees/w1"
    shown = repository.run(ENTER, name="w1")
    assert shown.startswith(f"Created worktree at “{path}” on branch “worktree-w1”.")
    assert repository.run(BASH, command="pwd; git branch --show-current") == f"{path}\nworktree-w1"
    assert repository.run(read.TOOL, file_path="a.txt") == "1\tone\n2\t"
    assert repository.fail(ENTER, name="w2").code == "in_worktree"
    assert repository.run(EXIT, action="remove").endswith(f"Session is now back in “{root}”.")
    assert repository.context.cwd == str(root)
    assert not path.exists()
    assert repository.run(BASH, command="git worktree list | wc -l; git branch") == "1\n* main"
    assert repository.fail(EXIT, action="keep").code == "no_worktree"


def test_work_is_not_removed_by_the_way(repository: Bench) -> None:
    repository.run(ENTER)
    path = Path(repository.context.cwd)
    repository.run(BASH, command="touch dirty && git -c user.name=a -c user.email=a@b.c commit -qm y --allow-empty")
    refused = repository.fail(EXIT, action="remove")
    assert refused.code == "unsaved_work"
    assert "1 uncommitted file and 1 commit" in str(refused)
    assert (path / "dirty").exists()
    repository.run(EXIT, action="keep")
    assert (path / "dirty").exists()
    repository.run(ENTER, path=str(path))
    assert repository.context.cwd == str(path)
    assert repository.fail(EXIT, action="remove", discard_changes=True).code == "unsaved_work"
    repository.run(EXIT, action="keep")


def test_changes_are_discarded_when_that_is_said(repository: Bench) -> None:
    repository.run(ENTER, name="w1")
    repository.run(BASH, command="touch dirty")
    repository.run(EXIT, action="remove", discard_changes=True)
    assert not (repository.root / ".claude/worktrees/w1").exists()


def test_a_repository_runs_nothing_of_its_own(repository: Bench) -> None:
    hook = repository.root / ".git/hooks/post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {repository.root}/ran\n")
    hook.chmod(0o755)
    repository.run(ENTER, name="w1")
    assert not (repository.root / "ran").exists()


@pytest.mark.parametrize(("given", "code"), [({"path": "/usr"}, "no_worktree"), ({"name": "../../x"}, "bad_name")])
def test_what_is_no_worktree(repository: Bench, given: dict[str, str], code: str) -> None:
    assert repository.fail(ENTER, **given).code == code


def test_without_a_commit_there_is_no_worktree(shell: Bench) -> None:
    assert shell.fail(ENTER, name="w1").code == "git_failed"


def started(bench: Bench, command: str) -> str:
    bench.run(BASH, command=command, run_in_background=True)
    return bench.context.tasks.running()[-1].id


def test_output_in_the_background_is_read_once(shell: Bench) -> None:
    name = started(shell, "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3")
    shown = ""
    while "<output>" not in shown:
        shown = shell.run(task_output.TOOL, task_id=name, block=False)
    assert "<retrieval_status>not_ready</retrieval_status>" in shown
    assert "<status>running</status>" in shown
    assert shell.run(task_output.TOOL, task_id=name, timeout=50).startswith(
        "<retrieval_status>timeout</retrieval_status>"
    )
    shell.file("go", "")
    shown = shell.run(task_output.TOOL, bash_id=name)
    for part in ("<retrieval_status>success<", "<status>failed<", "<exit_code>3<", "<output>\ntwo\n</output>"):
        assert part in shown
    assert "<output>" not in shell.run(task_output.TOOL, task_id=name)
    assert shell.fail(task_output.TOOL, task_id="zz").code == "no_such_task"


def test_a_filter_shows_only_its_lines(shell: Bench) -> None:
    name = started(shell, "sleep 0.2; echo one; echo two")
    assert "<output>\ntwo\n</output>" in shell.run(task_output.TOOL, task_id=name, filter="tw")


def test_a_task_is_stopped_with_all_it_started(shell: Bench) -> None:
    name = started(shell, "sleep 61 & sleep 61")
    assert name in shell.run(task_stop.TOOL, shell_id=name)
    assert not shell.context.tasks.running()
    assert "is not running" in str(shell.fail(task_stop.TOOL, task_id=name))
    assert "No task found" in str(shell.fail(task_stop.TOOL, task_id="zz"))


def test_a_monitor_ends_when_its_time_is_up(shell: Bench) -> None:
    shown = shell.run(monitor.TOOL, description="d", command="echo tick; sleep 60", timeout_ms=1000)
    assert "expires in 1s" in shown
    (task,) = shell.context.tasks.running()
    assert task.done.wait(10)
    assert (task.text(), task.status) == (b"tick\n", "killed")
    assert shell.fail(monitor.TOOL, description="d", ws={"url": "ws://x"}).code == "offline"


def test_sub_agents_share_the_tasks(shell: Bench) -> None:
    child = Bench(shell.root, create_subagent_context(shell.context, "a1", asynchronous=True))
    name = started(child, "sleep 60")
    assert shell.context.tasks.get(name) is not None


def test_todos(bench: Bench) -> None:
    todo = {"content": "Build", "status": "pending", "activeForm": "Building"}
    bench.run(todo_write.TOOL, todos=[todo])
    assert [one.content for one in bench.context.app.get("todos")] == ["Build"]
    bench.run(todo_write.TOOL, todos=[{**todo, "status": "completed"}])
    assert bench.context.app.get("todos") == ()


def test_the_list_of_tasks(bench: Bench) -> None:
    assert bench.run(task_list.TOOL) == "No tasks found"
    for subject in ("Design", "Build", "Ship"):
        shown = bench.run(task_create.TOOL, subject=subject, description=f"{subject} it")
    assert shown == "Task #3 created successfully: Ship"
    assert (
        bench.run(task_update.TOOL, taskId="1", status="in_progress", addBlocks=["2"])
        == "Updated task #1 status, blocks"
    )
    bench.run(task_update.TOOL, taskId="3", addBlockedBy=["2"], owner="ann", metadata={"k": 1})
    assert bench.run(task_list.TOOL).splitlines() == [
        "#1 [in_progress] Design",
        "#2 [pending] Build [blocked by #1]",
        "#3 [pending] Ship (ann) [blocked by #2]",
    ]
    bench.run(task_update.TOOL, taskId="1", status="completed")
    assert bench.run(task_get.TOOL, taskId="2") == "Task #2: Build\nStatus: pending\nDescription: Build it\nBlocks: #3"
    bench.run(task_update.TOOL, taskId="3", status="deleted")
    assert bench.run(task_list.TOOL).splitlines() == ["#1 [completed] Design", "#2 [pending] Build"]
    bench.run(task_create.TOOL, subject="Rest", description="d")
    for tool, given in ((task_get.TOOL, {}), (task_update.TOOL, {"owner": "x"})):
        assert bench.fail(tool, taskId="9", **given).code == "no_such_task"


def test_an_agent_on_its_own_does_not_change_the_list(bench: Bench) -> None:
    child = Bench(bench.root, create_subagent_context(bench.context, "a1", asynchronous=True))
    child.run(task_create.TOOL, subject="x", description="d")
    child.run(todo_write.TOOL, todos=[{"content": "Build", "status": "pending", "activeForm": "Building"}])
    assert bench.run(task_list.TOOL) == "No tasks found"
    assert bench.context.app.get("todos") is None


SKILL = (
    "---\nname: hello\ndescription: says hello\n---\nSay hello to $ARGUMENTS. See ${CLAUDE_SKILL_DIR}/x. !`touch ran`\n"
)


def launched(bench: Bench, **given: Any) -> str:
    result = skill.TOOL.call(skill.SkillInput(**given), bench.context, print)
    assert result.data == f"Launching skill: {given['skill'].removeprefix('/')}"
    (message,) = result.new_messages
    return str(message.content)


def test_a_skill_is_put_before_the_model(bench: Bench) -> None:
    bench.file(".claude/skills/hello/SKILL.md", SKILL)
    bench.file(".claude/commands/team/go.md", "Go.\n")
    folder = f"{bench.root}/.claude/skills/hello"
    text = launched(bench, skill="/hello", args="bob")
    assert text == f"Base directory for this skill: {folder}\n\nSay hello to bob. See {folder}/x. !`touch ran`\n"
    assert not (bench.root / "ran").exists()
    assert launched(bench, skill="team:go", args="now").endswith("Go.\n\nARGUMENTS: now")


def test_skills_that_can_not_be_launched(bench: Bench) -> None:
    bench.file(".claude/skills/secret/SKILL.md", "---\ndisable-model-invocation: true\n---\nx")
    assert str(bench.fail(skill.TOOL, skill="nope")) == "Unknown skill: nope"
    assert "may not call" in str(bench.fail(skill.TOOL, skill="secret"))
    assert bench.fail(skill.TOOL, skill="../../etc/passwd").code == "no_such_skill"
    assert bench.fail(skill.TOOL, skill="review").code == "no_text"


def test_answers_of_a_person(bench: Bench) -> None:
    questions = [{"question": "Which?", "header": "H", "options": [{"label": "a", "description": "d"}]}]
    shown = bench.run(ask_user_question.TOOL, questions=questions, answers={"Which?": "a", "How?": ["b", "c"]})
    assert shown == 'User has answered your questions: "Which?"="a", "How?"="b, c".'
    assert bench.fail(ask_user_question.TOOL, questions=questions).code == "no_answer"


def test_powershell_runs_only_where_it_is(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert not powershell.TOOL.is_enabled()
    assert bench.fail(powershell.TOOL, command="ls").code == "no_pwsh"


def test_powershell_is_run_without_profile(shell: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shell.file("bin/pwsh", '#!/bin/bash\nprintf "%s " "$@"; [ "$5" = fail ] && exit 1; exit 0\n')
    (shell.root / "bin/pwsh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{shell.root}/bin:/usr/bin:/bin")
    assert powershell.TOOL.is_enabled()
    shown = shell.run(powershell.TOOL, command="Get-ChildItem")
    assert shown == "-NoLogo -NoProfile -NonInteractive -Command Get-ChildItem"
    assert shell.fail(powershell.TOOL, command="fail").code == "exit_1"


@pytest.mark.parametrize("tool", unavailable.TOOLS, ids=lambda tool: tool.name)
def test_what_is_not_available_fails_by_name(bench: Bench, tool: Any) -> None:
    with pytest.raises(ToolError, match=tool.name) as failure:
        tool.call(None, bench.context, print)
    assert failure.value.code == "unavailable"


def test_tool_search_loads_what_it_finds(bench: Bench) -> None:
    late = build_tool("SendMail", todo_write.TodoWriteInput, print, description="send mail", should_defer=True)  # type: ignore[arg-type]
    bench.options(tools=(late, BASH))
    assert bench.run(tool_search.TOOL, query="select:SendMail") == [{"type": "tool_reference", "tool_name": "SendMail"}]
    assert bench.run(tool_search.TOOL, query="mail", max_results="1")[0]["tool_name"] == "SendMail"
    assert bench.run(tool_search.TOOL, query="select:Bash") == "No matching deferred tools found"


def test_waiting_for_a_task_can_be_interrupted(shell: Bench) -> None:
    name = started(shell, "sleep 60")
    shell.context.abort.abort("user")
    began = time.monotonic()
    assert shell.fail(task_output.TOOL, task_id=name).code == "aborted"
    assert time.monotonic() - began < 5
