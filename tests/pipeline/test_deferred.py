"""Deferred tools: what the model sees of them, how their schemas are found, and what a call before that is told."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from tests.pipeline.conftest import AnyTool, Session, call, make_tool, text
from toolaudit.model import Behavior, ToolCall
from toolaudit.pipeline.live import run_call
from toolaudit.tools.context import create_subagent_context
from toolaudit.tools.deferred import expose, loaded, search
from toolaudit.tools.messages import Message


def reference(name: str) -> Message:
    block = {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "tool_reference", "tool_name": name}]}
    return Message("user", (block,))


class Typed(BaseModel):
    count: int
    deep: bool = False
    name: str = ""


def tool(name: str = "Later", **definition: Any) -> AnyTool:
    return make_tool(name, should_defer=True, input_schema=Typed, call=lambda *given: _done(), **definition)


def _done() -> Any:
    from toolaudit.tools.interface import ToolResult

    return ToolResult("done")


def test_the_model_sees_the_name_until_the_schema_is_loaded() -> None:
    later = tool(description="said later")
    assert expose(later, frozenset(), "long prompt") == {"name": "Later", "defer_loading": True}
    shown = expose(later, frozenset({"Later"}), "long prompt")
    assert shown["description"] == "long prompt"
    assert set(shown["input_schema"]["properties"]) == {"count", "deep", "name"}


def test_tools_that_are_not_deferred_are_shown_whole() -> None:
    assert "input_schema" in expose(make_tool(), frozenset(), "")


def test_what_was_loaded_stands_in_the_conversation() -> None:
    assert loaded([reference("A"), Message("user", "text"), reference("B")]) == {"A", "B"}
    assert loaded([Message("user", ({"type": "text", "text": "tool_reference"},))]) == frozenset()


def test_a_call_before_that_fails_with_the_way_to_recover(session: Session) -> None:
    outcome = run_call(ToolCall("Later", {"count": "many", "deep": "yes"}, "1"), session(tool()))
    assert outcome.behavior is Behavior.INVALID
    assert outcome.ended_by == "schema"
    assert 'ToolSearch with the query "select:Later"' in text(outcome)
    assert "count, deep came as a string" in text(outcome)


def test_even_an_input_that_happens_to_fit_fails(session: Session) -> None:
    assert run_call(ToolCall("Later", {"count": 1}, "1"), session(tool())).behavior is Behavior.INVALID


def test_a_call_after_that_runs(session: Session) -> None:
    context = session(tool(), messages=(reference("Later"),))
    assert run_call(ToolCall("Later", {"count": 1}, "1"), context).executed


def test_a_wrong_call_after_that_gets_no_such_advice(session: Session) -> None:
    context = session(tool(), messages=(reference("Later"),))
    assert "ToolSearch" not in text(run_call(ToolCall("Later", {"count": "many"}, "1"), context))


def test_a_tool_that_is_not_deferred_gets_no_such_advice(session: Session) -> None:
    assert "ToolSearch" not in text(run_call(call(count="many"), session(make_tool())))


def test_a_sub_agent_has_loaded_nothing(session: Session) -> None:
    context = create_subagent_context(session(tool(), messages=(reference("Later"),)), "a")
    assert not run_call(ToolCall("Later", {"count": 1}, "1"), context).executed


POOL = (
    tool("NotebookEdit", description="change cells"),
    tool("WebFetch", description="get a page from the web"),
    tool("mcp__slack__send_message", description="post to a channel"),
    tool("mcp__slack__read_channel", description="read a channel"),
    make_tool("Read", description="read a file"),
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("select:WebFetch", ["WebFetch"]),
        ("select:WebFetch, NotebookEdit,Nothing", ["WebFetch", "NotebookEdit"]),
        ("select:Read", []),
        ("notebook", ["NotebookEdit"]),
        ("slack", ["mcp__slack__read_channel", "mcp__slack__send_message"]),
        ("slack message", ["mcp__slack__send_message", "mcp__slack__read_channel"]),
        ("+slack send", ["mcp__slack__send_message", "mcp__slack__read_channel"]),
        ("+slack page", ["mcp__slack__read_channel", "mcp__slack__send_message"]),
        ("page", ["WebFetch"]),
        ("absent", []),
        ("", []),
    ],
)
def test_search(query: str, found: list[str]) -> None:
    assert [one.name for one in search(query, POOL)] == found


def test_a_search_finds_so_many_at_most() -> None:
    many = [tool(f"Alike{number}") for number in range(20)]
    assert len(search("alike", many)) == 5
    assert len(search("alike", many, 7)) == 7
    assert len(search(f"select:{','.join(one.name for one in many)}", many)) == 20
