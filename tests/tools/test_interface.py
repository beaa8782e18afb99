"""The interface of a tool, and the factory that fills in what a definition leaves out."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from toolaudit.model import Behavior
from toolaudit.tools.interface import DEFAULT_RESULT_CHARS, Tool, ToolResult, build_tool


class Given(BaseModel):
    count: int
    name: str = ""


class Made(BaseModel):
    total: int


def work(given: Given, context: Any, report: Any) -> ToolResult[Made]:
    return ToolResult(Made(total=given.count + 1))


def tool(**definition: Any) -> Tool[Given, Made, Any]:
    return build_tool("Count", Given, work, **definition)


INPUT = Given(count=1)
NOTHING: Any = None


@pytest.mark.parametrize(
    ("member", "forgotten"),
    [
        ("is_enabled", True),
        ("is_concurrency_safe", False),
        ("is_read_only", False),
        ("is_destructive", False),
        ("to_auto_classifier_input", ""),
        ("user_facing_name", "Count"),
    ],
)
def test_what_is_forgotten_is_taken_for_the_worse(member: str, forgotten: object) -> None:
    question = getattr(tool(), member)
    assert (question() if member == "is_enabled" else question(INPUT)) == forgotten


def test_the_one_default_that_allows_says_nothing_else() -> None:
    word = tool().check_permissions(INPUT, NOTHING)
    assert word.behavior is Behavior.ALLOW
    assert word.updated_input is None


def test_a_definition_beats_the_defaults() -> None:
    assert tool(is_read_only=lambda given: given.count == 1).is_read_only(INPUT)


def test_a_member_that_tools_do_not_have_is_refused() -> None:
    with pytest.raises(TypeError):
        tool(is_paralel_safe=lambda given: True)


def test_a_tool_describes_itself() -> None:
    made = tool(description="counts", output_schema=Made)
    schema = made.schema()
    assert schema["properties"]["count"]["type"] == "integer"
    assert schema["required"] == ["count"]
    assert made.prompt(NOTHING) == "counts"
    assert made.output_schema is Made
    assert made.max_result_size_chars == DEFAULT_RESULT_CHARS


def test_a_schema_from_elsewhere_is_sent_as_it_came() -> None:
    assert tool(json_schema={"type": "object", "x": 1}).schema() == {"type": "object", "x": 1}


def test_data_becomes_a_block_that_names_its_call() -> None:
    result = tool().call(INPUT, NOTHING, print)
    assert tool().map_result_to_block(result.data, "toolu_1") == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": '{"total":2}',
    }
