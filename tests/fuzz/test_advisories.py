"""Published bypasses: the calls still do what was said of them, and none is allowed."""

from __future__ import annotations

import pytest

from toolaudit.fuzz.advisories import Advisory, advisories
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Mode, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions import decide
from toolaudit.settings import load_objects

CWD, HOME = "/work/project", "/home/user"
CALLS = [row for row in advisories() if row.tool is not None]
STARTING = [row for row in CALLS if row.starts]


def test_rows_are_distinct_and_say_something() -> None:
    rows = advisories()
    assert len({row.id for row in rows}) == len(rows) >= 35
    assert all(len(row.fact) > 30 and row.id.startswith("CVE-") for row in rows)


def trial(row: Advisory, oracle: Oracle | None) -> Trial:
    permissions = {"allow": list(row.allow), "deny": list(row.deny)}
    policy = load_objects({Scope.USER: {"permissions": permissions}}, cwd=CWD, home=HOME)
    return Trial(policy, Mode.DEFAULT, DataWorkspace.describe(CWD, HOME, links=row.links, git=True), oracle)


@pytest.mark.parametrize("row", CALLS, ids=lambda row: row.id)
def test_call_is_not_allowed(row: Advisory) -> None:
    subject = trial(row, None)
    decision = decide(ToolCall(row.tool or "", row.input), subject.policy, subject.mode, subject.workspace)
    assert decision.behavior is not Behavior.ALLOW


@pytest.mark.parametrize("row", STARTING, ids=lambda row: row.id)
def test_call_starts_what_it_is_said_to(oracle: Oracle, row: Advisory) -> None:
    started = trial(row, oracle).started(row.command or "")
    assert any(argv[: len(row.starts)] == row.starts for argv in started), started
