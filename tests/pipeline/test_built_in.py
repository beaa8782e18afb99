"""Built-in tools in the pipeline: real files and commands, from the model's words to the conversation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.conftest import Session, note, text
from tests.pipeline.test_hooks import needs_sandbox
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.pipeline.live import Services
from toolaudit.pipeline.orchestration import SIBLING, Turn, run_calls
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.stated import StatedHooks
from toolaudit.structs import replace
from toolaudit.tools.context import Prompter, ToolUseContext
from toolaudit.tools.registry import assemble_tool_pool

Made = tuple[str, dict[str, Any]]


@pytest.fixture
def context(session: Session, tmp_path: Path) -> Iterator[ToolUseContext]:
    """A session with all built-in tools, in a workspace of two files."""
    (tmp_path / "work" / "a.txt").write_text("one\ntwo\n")
    (tmp_path / "work" / "b.txt").write_text("three\n")
    empty = session(mode=Mode.ACCEPT_EDITS)
    pool = assemble_tool_pool(empty.permissions, ())
    made = session(*pool, mode=Mode.ACCEPT_EDITS, allow=("Bash(false)", "Bash(exit *)"), deny=("Read(secret*)",))
    yield made
    made.tasks.close()


def play(context: ToolUseContext, *calls: Made, services: Services | None = None) -> Turn:
    return run_calls([ToolCall(*call, f"toolu_{n}") for n, call in enumerate(calls)], context, services)


def ends(turn: Turn) -> list[str]:
    return [outcome.ended_by for outcome in turn.outcomes]


def edit(old: str, new: str, path: str = "a.txt") -> Made:
    return "Edit", {"file_path": path, "old_string": old, "new_string": new}


def test_files_are_read_edited_and_written(context: ToolUseContext, tmp_path: Path) -> None:
    turn = play(
        context,
        ("Read", {"file_path": "a.txt"}),
        edit("one", "1"),
        ("Write", {"file_path": "new/c.txt", "content": "four"}),
        ("Read", {"file_path": "new/c.txt"}),
    )
    assert ends(turn) == ["messages"] * 4
    assert (tmp_path / "work" / "a.txt").read_text() == "1\ntwo\n"
    assert "four" in text(turn.outcomes[3])


def test_an_edit_that_does_not_apply_ends_before_permission(context: ToolUseContext) -> None:
    turn = play(context, edit("absent", "x"), edit("one", "one"), ("Read", {"file_path": "/dev/zero"}))
    assert ends(turn) == ["meaning", "schema", "meaning"]
    assert {outcome.behavior for outcome in turn.outcomes} == {Behavior.INVALID}


def test_a_file_that_changed_behind_our_back(context: ToolUseContext, tmp_path: Path) -> None:
    first = play(context, ("Read", {"file_path": "a.txt"}))
    file = tmp_path / "work" / "a.txt"
    file.write_text("one one\n")
    os.utime(file, (2e9, 2e9))
    turn = play(first.context, edit("two", "x"))
    assert turn.outcomes[0].behavior is Behavior.INVALID
    assert file.read_text() == "one one\n"


def test_hooks_hear_whole_paths_and_the_transcript_keeps_what_was_written(context: ToolUseContext) -> None:
    turn = play(context, ("Read", {"file_path": "a.txt"}))
    assert "file_path" in note(turn.outcomes[0], "backfill")
    assert turn.outcomes[0].call.input == {"file_path": "a.txt"}


def test_a_denied_path(context: ToolUseContext) -> None:
    turn = play(context, ("Read", {"file_path": "secret.txt"}))
    assert turn.outcomes[0].behavior is Behavior.DENY
    assert turn.outcomes[0].end is not None
    assert turn.outcomes[0].end.rule is not None


def test_plan_mode_holds_from_the_next_call_on(context: ToolUseContext) -> None:
    turn = play(context, ("EnterPlanMode", {}), ("Write", {"file_path": "c.txt", "content": "x"}))
    assert turn.context.permissions.mode is Mode.PLAN
    assert turn.outcomes[1].behavior is Behavior.DENY


@needs_sandbox
def test_commands_run_and_fail_by_name(context: ToolUseContext) -> None:
    turn = play(context, ("Bash", {"command": "cat a.txt"}), ("Bash", {"command": "exit 3"}))
    assert text(turn.outcomes[0]) == "one\ntwo"
    assert ends(turn) == ["messages", "execution"]
    assert "Exit code 3" in text(turn.outcomes[1])


@needs_sandbox
def test_a_failed_command_ends_the_reads_beside_it(context: ToolUseContext) -> None:
    services = Services()
    turn = run_calls(
        [
            ToolCall("Bash", {"command": "ls missing"}, "1"),
            ToolCall("Read", {"file_path": "a.txt"}, "2"),
        ],
        context,
        services,
        most=1,
    )
    assert ends(turn) == ["execution", "abort"]
    assert text(turn.outcomes[1]) == SIBLING


@needs_sandbox
def test_a_prompt_about_a_command(context: ToolUseContext) -> None:

    asked: list[Any] = []
    person = Prompter(lambda question: asked.append(question) or Answer(Behavior.ALLOW, "yes"))
    turn = play(replace(context, prompter=person), ("Bash", {"command": "touch ../x; echo done"}))
    assert turn.outcomes[0].executed
    assert len(asked) == 1


def test_a_hook_rewrites_a_command_before_rules_see_it(context: ToolUseContext) -> None:
    hook = {"event": "PreToolUse", "matcher": "Read", "updated_input": {"file_path": "secret.txt"}}
    turn = play(context, ("Read", {"file_path": "a.txt"}), services=Services(hooks=StatedHooks((hook,))))
    assert turn.outcomes[0].behavior is Behavior.DENY


def test_results_stand_in_the_conversation(context: ToolUseContext) -> None:
    turn = play(context, ("Read", {"file_path": "a.txt"}), ("Read", {"file_path": "b.txt"}), ("Nothing", {}))
    blocks = [message.content[0] for message in turn.context.messages if message.kind == "user"]
    assert [block["tool_use_id"] for block in blocks] == ["toolu_0", "toolu_1", "toolu_2"]  # type: ignore[index]
