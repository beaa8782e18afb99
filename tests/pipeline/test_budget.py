"""Results that are too long: the tool's own limit, the conversation's, and what takes their place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.conftest import Session, call, make_tool, note, text
from toolaudit.pipeline.live import run_call
from toolaudit.pipeline.orchestration import run_calls
from toolaudit.pipeline.persisting import persist
from toolaudit.tools.context import ContentReplacementState, create_subagent_context
from toolaudit.tools.interface import DEFAULT_RESULT_CHARS, ToolResult


@pytest.mark.parametrize(("length", "kept"), [(DEFAULT_RESULT_CHARS, True), (DEFAULT_RESULT_CHARS + 1, False)])
def test_the_limit_of_a_tool(length: int, kept: bool, session: Session, tmp_path: Path) -> None:
    outcome = run_call(call(text="x" * length), session(make_tool()))
    assert (len(text(outcome)) == length) is kept
    assert (tmp_path / "results").exists() is not kept


def test_what_takes_the_place_of_a_long_result(session: Session, tmp_path: Path) -> None:
    whole = "".join(f"line {number}\n" for number in range(10_000))
    context = session(make_tool(max_result_size_chars=1000))
    outcome = run_call(call(text=whole), context)
    shown = text(outcome)
    (file,) = (tmp_path / "results").iterdir()
    assert file.read_text() == whole
    head, _, preview = shown.partition("\n\n")
    assert head == f"<persisted-output>\nOutput too large (96.6KB). Full output saved to: {file}"
    assert preview.startswith("Preview (first 2KB):\nline 0\nline 1\n")
    assert preview.endswith("\nline 233\n...\n</persisted-output>")
    assert context.replacements.replaced == {"toolu_1": str(file)}


@pytest.mark.parametrize(
    ("text", "size", "preview"),
    [
        ("x" * 3000, "2.9KB", "x" * 2000 + "\n..."),
        ("a\n" + "x" * 3000, "2.9KB", "a\n" + "x" * 1998 + "\n..."),
        ("short", "5 bytes", "short"),
        ("\n".join("é" * 99 for _ in range(100)), "19.4KB", "\n".join("é" * 99 for _ in range(20)) + "\n..."),
        ("x" * (3 << 20), "3MB", "x" * 2000 + "\n..."),
    ],
    ids=["one line", "the line end comes early", "short", "bytes are counted", "megabytes"],
)
def test_a_preview_ends_with_a_line(text: str, size: str, preview: str, tmp_path: Path) -> None:
    shown, path = persist(text, str(tmp_path))
    said = f"Output too large ({size}). Full output saved to: {path}\n\nPreview (first 2KB):\n{preview}"
    assert shown == f"<persisted-output>\n{said}\n</persisted-output>"


def test_results_of_an_infinite_limit_are_never_kept_elsewhere(session: Session, tmp_path: Path) -> None:
    context = session(make_tool(max_result_size_chars=math.inf), replacements=ContentReplacementState(10))
    outcome = run_call(call(text="x" * 500_000), context)
    assert len(text(outcome)) == 500_000
    assert not (tmp_path / "results").exists()


def test_many_results_below_their_limits_still_meet_one_of_the_conversation(session: Session) -> None:
    context = session(make_tool(), replacements=ContentReplacementState(100_000))
    results = [text(run_call(call(text="x" * 45_000), context)) for _ in range(4)]
    assert [len(result) == 45_000 for result in results] == [True, True, False, False]
    assert "what is left to the conversation" in note(run_call(call(text="y" * 45_000), context), "budget")


def test_short_results_stay_when_the_budget_is_spent(session: Session) -> None:
    context = session(make_tool(), replacements=ContentReplacementState(10))
    assert text(run_call(call(text="short" * 10), context)) == "short" * 10


def test_a_sub_agent_counts_on_from_where_its_parent_was(session: Session) -> None:
    parent = session(make_tool(), replacements=ContentReplacementState(50_000))
    run_call(call(text="x" * 40_000), parent)
    child = create_subagent_context(parent, "a")
    assert len(text(run_call(call(text="x" * 40_000), child))) < 40_000
    assert parent.replacements.characters == 40_000


def test_images_stay_beside_the_preview(session: Session) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}

    def block(data: Any, tool_use_id: str) -> dict[str, Any]:
        content = [{"type": "text", "text": "x" * 60_000}, image]
        return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}

    outcome = run_call(call(), session(make_tool(map_result_to_block=block)))
    assert outcome.block is not None
    assert outcome.block["content"][1] == image
    assert "persisted-output" in outcome.block["content"][0]["text"]


def test_without_a_place_to_keep_it_a_long_result_is_cut(session: Session) -> None:
    context = session(make_tool(), options={"results_directory": ""})
    outcome = run_call(call(text="a" * 40_000 + "b" * 40_000), context)
    assert len(text(outcome)) < 3000
    assert text(outcome).startswith("a")
    assert text(outcome).endswith("b")


def test_results_side_by_side_never_go_over_the_budget_together(session: Session) -> None:
    tool = make_tool(is_concurrency_safe=lambda given: True)
    context = session(tool, replacements=ContentReplacementState(100_000))
    turn = run_calls([call(text="x" * 30_000)] * 10, context)
    assert sum(len(text(outcome)) == 30_000 for outcome in turn.outcomes) == 3


def test_a_result_knows_its_call(session: Session) -> None:
    outcome = run_call(call(), session(make_tool(call=lambda *given: ToolResult("x"))))
    assert outcome.block == {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}
