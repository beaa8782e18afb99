"""Which tools a session offers, and what takes them away."""

from __future__ import annotations

import pytest

from toolaudit.model import Policy, Rule, Scope
from toolaudit.rules import grammar
from toolaudit.settings import load_objects
from toolaudit.tools.pool import ANY, BUILT_IN, HEADLESS, PATHS, Pool, canonical, removed
from toolaudit.tools.schema import SCHEMAS


def policy(*deny: str, **further: object) -> Policy:
    return load_objects(
        {Scope.USER: {"permissions": {"deny": list(deny), **further}}}, cwd="/srv/app", home="/home/dana"
    )


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("Write", "Write"),
        ("Write(*)", "Write"),
        ("*", "Read"),
        ("Web*", "WebFetch"),
        ("mcp__gh", "mcp__gh__get_issue"),
        ("mcp__gh__*", "mcp__gh__get_issue"),
        ("Task", "Agent"),
        ("Bash", "Monitor"),
    ],
)
def test_a_deny_rule_without_specifier_removes(rule: str, tool: str) -> None:
    found = removed(tool, policy(rule))
    assert isinstance(found, Rule)
    assert found.text == rule


@pytest.mark.parametrize(("rule", "tool"), [("Write(**)", "Write"), ("Write", "Edit"), ("mcp__g", "mcp__gh__x")])
def test_other_rules_do_not(rule: str, tool: str) -> None:
    assert removed(tool, policy(rule)) is None


def test_names_are_exact() -> None:
    assert removed("bash", policy()) is not None
    assert removed("Read", policy()) is None


def test_aliases_lead_to_the_tool() -> None:
    assert [canonical(name) for name in ("Task", "KillShell", "KillBash", "Read")] == [
        "Agent",
        "TaskStop",
        "TaskStop",
        "Read",
    ]


def test_a_session_without_a_terminal_offers_less() -> None:
    assert {"Glob", "Grep", "TodoWrite", "PowerShell"} <= ANY.built_in - HEADLESS.built_in
    assert removed("Grep", policy(), HEADLESS) is not None
    assert removed("Grep", policy(), ANY) is None


def test_known_servers_offer_their_tools_only() -> None:
    pool = Pool(HEADLESS.built_in, {"gh": ("get_issue",)})
    assert removed("mcp__gh__get_issue", policy(), pool) is None
    assert removed("mcp__gh__other", policy(), pool) is not None
    assert removed("mcp__other__get_issue", policy(), ANY) is None


def test_tools_that_only_prompt_go_where_prompts_are_ruled_out() -> None:
    for tool in ("AskUserQuestion", "ExitPlanMode"):
        assert removed(tool, policy(denyInsteadOfPrompting=True)) is not None
        assert removed(tool, policy()) is None


def test_the_tables_name_tools_of_the_pool() -> None:
    assert set(SCHEMAS) <= set(BUILT_IN)
    assert set(PATHS) <= set(BUILT_IN)
    assert set(grammar.TOOLS) >= set(BUILT_IN)
