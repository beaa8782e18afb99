"""The Agent tool: what its parent reads of it, stops, and gets back; where it works."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.model import Mode
from toolaudit.tools.builtin import agent, bash, task_output, task_stop
from toolaudit.tools.context import AgentEnd, ToolUseContext
from toolaudit.tools.messages import Message


class Following:
    """Watches an agent from its parent's side: what TaskOutput and TaskStop say of it."""

    def __init__(self) -> None:
        self.went_on = False

    def run(self, given: Any, context: ToolUseContext) -> AgentEnd:
        self.went_on = not context.abort.wait(20) if given["prompt"] == "wait" else True
        return AgentEnd("all done")

    def sent(self, thread: threading.Thread) -> None:
        """Nobody has to wait for it."""


def test_the_parent_reads_the_report_of_an_agent_in_the_background(bench: Bench) -> None:
    bench.options(agents=Following())
    (block,) = bench.run(agent.TOOL, description="d", prompt="p", run_in_background=True)
    id = block["text"].rpartition(" ")[2]
    shown = bench.run(task_output.TOOL, task_id=id)
    for part in ("<retrieval_status>success", "<task_type>local_agent", "<status>completed", "\nall done\n"):
        assert part in shown


def test_the_parent_stops_an_agent_in_the_background(bench: Bench) -> None:
    agents = Following()
    bench.options(agents=agents)
    (block,) = bench.run(agent.TOOL, description="d", prompt="wait", run_in_background=True)
    id = block["text"].rpartition(" ")[2]
    assert "<status>running" in bench.run(task_output.TOOL, task_id=id, block=False)
    assert bench.run(task_stop.TOOL, task_id=id) == f"Successfully stopped task: {id} (d)"
    assert not agents.went_on
    assert "<status>killed" in bench.run(task_output.TOOL, task_id=id)
    assert not bench.context.abort.aborted


def test_an_agent_in_the_background_that_fails_says_so(bench: Bench) -> None:
    class Broken(Following):
        def run(self, given: Any, context: ToolUseContext) -> AgentEnd:
            raise ValueError("secret")

    bench.options(agents=Broken())
    (block,) = bench.run(agent.TOOL, description="d", prompt="p", run_in_background=True)
    shown = bench.run(task_output.TOOL, task_id=block["text"].rpartition(" ")[2])
    assert "<status>failed" in shown
    assert "ValueError" in shown
    assert "secret" not in shown


def test_an_agent_passes_on_what_it_does(bench: Bench) -> None:
    class Talking(Following):
        def run(self, given: Any, context: ToolUseContext) -> AgentEnd:
            return AgentEnd("r", (Message("attachment", "said", "agent"),), Mode.ACCEPT_EDITS)

    bench.options(agents=Talking())
    news: list[Any] = []
    given = agent.AgentInput(description="d", prompt="p")
    result = agent.TOOL.call(given, bench.context, news.append)
    assert [one["message"].content for one in news] == ["said"]
    assert result.new_messages[0].content == "said"
    assert result.context_modifier is not None
    assert result.context_modifier(bench.context).permissions.mode is Mode.ACCEPT_EDITS


@pytest.mark.parametrize("changing", [True, False], ids=["changes", "changes nothing"])
def test_an_agent_in_a_worktree_of_its_own(repository: Bench, changing: bool) -> None:
    root = repository.root

    class Working(Following):
        def run(self, given: Any, context: ToolUseContext) -> AgentEnd:
            self.cwd = context.cwd
            if changing:
                result = bash.TOOL.call(bash.BashInput(command="echo two > a.txt"), context, print)
                assert result.data.output == ""
            return AgentEnd("done")

    agents = Working()
    repository.options(agents=agents)
    (block,) = repository.run(agent.TOOL, description="d", prompt="p", isolation="worktree")
    assert agents.cwd.startswith(f"{root}/.claude/worktrees/agent-a")
    assert (root / "a.txt").read_text() == "one\n"
    assert repository.context.cwd == str(root)
    assert Path(agents.cwd).exists() is changing
    assert ("worktreePath: " in block["text"] and "1 uncommitted file" in block["text"]) is changing
    if changing:
        assert (Path(agents.cwd) / "a.txt").read_text() == "two\n"
