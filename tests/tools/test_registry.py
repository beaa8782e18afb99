"""The list of all tools, the pools made from it, and why their order matters."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolaudit.tools.builtin
from tests.pipeline.conftest import AnyTool, make_tool
from toolaudit.model import Mode, Policy, Rule, Scope
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.settings import load_objects
from toolaudit.tools import registry
from toolaudit.tools.context import PermissionContext
from toolaudit.tools.registry import BASE, all_base_tools, assemble_tool_pool, get_tools, removed_by


def policy(*deny: str) -> Policy:
    return load_objects({Scope.USER: {"permissions": {"deny": list(deny)}}}, cwd="/srv", home="/home/dana")


def permissions(*deny: str) -> PermissionContext:
    return PermissionContext(policy(*deny), Mode.DEFAULT, UnknownWorkspace())


def names(tools: Any) -> list[str]:
    return [tool.name for tool in tools]


def test_every_module_of_a_tool_is_in_the_list() -> None:
    """There is one list, and nothing is in the pool that is not in it."""
    folder = Path(toolaudit.tools.builtin.__file__).parent
    assert sorted(entry.module for entry in BASE) == sorted(path.stem for path in folder.glob("[!_]*.py"))


def test_no_name_stands_twice() -> None:
    every = all_base_tools({entry.feature for entry in BASE})
    words = [word for tool in every for word in (tool.name, *tool.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("features", "there", "gone"),
    [
        ((), "Grep", "MultiEdit"),
        (("multi_edit",), "MultiEdit", ""),
        (("embedded_search",), "Bash", "Grep"),
        (("embedded_search",), "Read", "Glob"),
        (("worktrees",), "EnterWorktree", ""),
        (("other",), "Read", "EnterWorktree"),
        (("other",), "Read", "ExitWorktree"),
    ],
)
def test_features(features: tuple[str, ...], there: str, gone: str) -> None:
    found = names(all_base_tools(features))
    assert there in found
    assert gone not in found


@pytest.mark.parametrize(("feature", "tool"), [("todo_list", "TodoWrite"), ("multi_edit", "MultiEdit")])
def test_older_tools_need_a_feature(feature: str, tool: str) -> None:
    assert tool not in names(all_base_tools())
    assert tool in names(all_base_tools({feature}))


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = registry.Entry("read", available=lambda environment: environment.get("HAS") == "it")
    monkeypatch.setattr(registry, "BASE", (entry,))
    assert not all_base_tools()
    assert names(all_base_tools(environment={"HAS": "it"})) == ["Read"]


@pytest.mark.parametrize("value", ["1", "true", "YES"])
def test_simple_mode_leaves_three(value: str) -> None:
    simple = {"CLAUDE_CODE_SIMPLE": value}
    assert sorted(names(get_tools(permissions(), environment=simple))) == ["Bash", "Edit", "Read"]
    assert names(get_tools(permissions("Bash", "Edit"), environment=simple)) == ["Read"]


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_simple_mode_has_to_be_switched_on(value: str) -> None:
    assert "Write" in names(get_tools(permissions(), environment={"CLAUDE_CODE_SIMPLE": value}))


def test_deny_rules_take_tools_out() -> None:
    assert "Grep" not in names(get_tools(permissions("Grep")))
    assert "Bash" in names(get_tools(permissions("Bash(rm *)")))


def test_tools_that_are_not_enabled_are_left_out() -> None:
    base = [make_tool("A", is_enabled=lambda: False), make_tool("B")]
    assert names(get_tools(permissions(), base=base)) == ["B"]


def served(name: str) -> AnyTool:
    return make_tool(f"mcp__{name}", source=name)


def test_the_order_of_the_pool() -> None:
    base = [make_tool("Zeta"), make_tool("Alpha")]
    found = assemble_tool_pool(permissions(), [served("s__b"), served("a__z")], base=base)
    assert names(found) == ["Alpha", "Zeta", "mcp__a__z", "mcp__s__b"]


def test_of_one_name_the_built_in_tool_wins() -> None:
    built_in, stranger = make_tool("Alpha"), make_tool("Alpha", source="evil")
    assert assemble_tool_pool(permissions(), [stranger], base=[built_in]) == (built_in,)


def test_deny_rules_take_mcp_tools_out() -> None:
    found = assemble_tool_pool(permissions("mcp__s"), [served("s__b"), served("a__z")], base=[])
    assert names(found) == ["mcp__a__z"]
    rule = removed_by(served("s__b"), policy("mcp__s"))
    assert isinstance(rule, Rule)
    assert rule.text == "mcp__s"


WORDS = st.text("abcAZ_", min_size=1, max_size=4)


@given(base=st.sets(WORDS, min_size=1), servers=st.lists(WORDS), others=st.lists(WORDS))
def test_no_mcp_tool_moves_a_built_in_one(base: set[str], servers: list[str], others: list[str]) -> None:
    """The prompt cache ends after the last built-in tool: what comes before it must stay where it was."""
    tools = [make_tool(name) for name in base]
    context = permissions()
    alone = names(assemble_tool_pool(context, [], base=tools))
    for mcp in (servers, others, servers + others, [*servers, *base]):
        offered = [make_tool(name, source="server") for name in mcp]
        pool = assemble_tool_pool(context, offered, base=tools)
        assert names(pool)[: len(alone)] == alone == sorted(base)
        assert all(tool.source == "server" for tool in pool[len(alone) :])
        assert len(names(pool)) == len(set(names(pool)))


def test_read_alone_has_no_limit() -> None:
    """A result of Read that was kept in a file would have to be read with Read."""
    assert [tool.name for tool in all_base_tools() if math.isinf(tool.max_result_size_chars)] == ["Read"]


@pytest.mark.parametrize("name", ["Grep", "Glob"])
def test_searches_only_read_and_run_side_by_side(name: str) -> None:
    tool = next(tool for tool in all_base_tools() if tool.name == name)
    given = tool.input_schema.model_validate({"pattern": "x"})
    assert tool.is_read_only(given)
    assert tool.is_concurrency_safe(given)
