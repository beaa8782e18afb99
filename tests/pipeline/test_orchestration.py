"""The calls of one message: what runs side by side, when changes take effect, and what a failure does to the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.pipeline.conftest import AnyTool, Session, Text, make_tool, text
from toolaudit.model import Mode, ToolCall
from toolaudit.model.versions import Version
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.orchestration import SIBLING, partition, run_calls
from toolaudit.pipeline.stated import StatedHooks
from toolaudit.structs import replace
from toolaudit.tools.context import AbortSignal, ToolUseContext
from toolaudit.tools.interface import ToolError, ToolResult

OLD = Version(2, 1, 100)
"""Before agents ran side by side."""


def calls(*names: str) -> list[ToolCall]:
    return [ToolCall(name, {"text": str(number)}, f"toolu_{number}") for number, name in enumerate(names)]


def reader(name: str = "Reader", **definition: Any) -> AnyTool:
    return make_tool(name, is_concurrency_safe=lambda given: True, **definition)


def shape(session: Session, *names: str, tools: tuple[AnyTool, ...] = (), **options: Any) -> list[tuple[int, bool]]:
    pool = tools or (reader(), make_tool("Writer"), make_tool("Agent"))
    context = session(*pool, options=options)
    return [(len(batch.calls), batch.together) for batch in partition(calls(*names), context)]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("Reader Reader Reader", [(3, True)]),
        ("Writer Writer", [(1, False), (1, False)]),
        ("Reader Reader Writer Reader", [(2, True), (1, False), (1, True)]),
        ("Writer Reader Writer", [(1, False), (1, True), (1, False)]),
        ("Nothing Reader", [(1, False), (1, True)]),
        ("", []),
    ],
)
def test_partition(names: str, expected: list[tuple[int, bool]], session: Session) -> None:
    assert shape(session, *names.split()) == expected


def test_whether_a_call_is_safe_depends_on_its_input(session: Session) -> None:
    tool = make_tool("Either", is_concurrency_safe=lambda given: given.text == "0")
    assert shape(session, "Either", "Either", tools=(tool,)) == [(1, True), (1, False)]


@pytest.mark.parametrize("broken", [lambda given: 1 / 0, lambda given: given.absent], ids=["raises", "misses"])
def test_a_tool_that_can_t_tell_runs_alone(broken: Callable[[Any], bool], session: Session) -> None:
    tool = make_tool("Broken", is_concurrency_safe=broken)
    assert shape(session, "Broken", "Broken", tools=(tool,)) == [(1, False), (1, False)]


def test_an_input_that_does_not_fit_runs_alone(session: Session) -> None:
    context = session(reader())
    (batch,) = partition([ToolCall("Reader", {"count": "many"})], context)
    assert not batch.together


@pytest.mark.parametrize(
    ("version", "coordinator", "together"), [(OLD, False, False), (OLD, True, True), (Version(2, 1, 198), False, True)]
)
def test_agents(version: Version, coordinator: bool, together: bool, session: Session) -> None:
    """Serial unless there is a coordinator, as the seeds say, up to the version that the documents name."""
    expected = [(2, True)] if together else [(1, False), (1, False)]
    assert shape(session, "Agent", "Agent", version=version, coordinator=coordinator) == expected


class Meeting:
    """Work that ends only when so many do it at once; counts the most that ever did."""

    def __init__(self, wanted: int) -> None:
        self._barrier = threading.Barrier(wanted, timeout=20)
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def __call__(self, given: Any, context: Any, progress: Any) -> ToolResult[str]:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self._barrier.wait()
        with self._lock:
            self._now -= 1
        return ToolResult(given.text)


def test_ten_at_a_time(session: Session) -> None:
    meeting = Meeting(10)
    turn = run_calls(calls(*["Reader"] * 20), session(reader(call=meeting)))
    assert [text(outcome) for outcome in turn.outcomes] == [str(number) for number in range(20)]
    assert meeting.most == 10


def test_calls_that_write_never_overlap(session: Session) -> None:
    running: list[str] = []

    def work(given: Any, context: Any, progress: Any) -> ToolResult[str]:
        assert not running
        running.append(given.text)
        time.sleep(0.01)
        running.remove(given.text)
        return ToolResult(given.text)

    turn = run_calls(calls(*["Writer"] * 5), session(make_tool("Writer", call=work)))
    assert all(outcome.error_class is None for outcome in turn.outcomes)


def counting(context: ToolUseContext) -> ToolUseContext:
    """A change of context that shows how often it was made: the mode stays, the directory gets longer."""
    directory = f"{context.permissions.directory}/d"
    return replace(context, permissions=replace(context.permissions, directory=directory))


def changing(seen: list[str]) -> Callable[..., ToolResult[str]]:
    def work(given: Text, context: ToolUseContext, progress: Any) -> ToolResult[str]:
        seen.append(context.permissions.directory)
        return ToolResult("", context_modifier=counting)

    return work


def test_a_change_by_a_serial_call_is_there_for_the_next(session: Session) -> None:
    seen: list[str] = []
    turn = run_calls(calls("Writer", "Writer"), session(make_tool("Writer", call=changing(seen))))
    assert seen == ["", "/d"]
    assert turn.context.permissions.directory == "/d/d"


def test_changes_by_tools_that_run_beside_others_are_dropped(session: Session) -> None:
    seen: list[str] = []
    turn = run_calls(calls("Reader", "Reader", "Writer"), session(reader(call=changing(seen)), make_tool("Writer")))
    assert turn.context.permissions.directory == ""
    assert "dropped" in next(entry.note for entry in turn.outcomes[0].trace if entry.stage == "messages")


def test_changes_of_a_batch_wait_for_its_end(session: Session) -> None:
    """Two agents side by side: neither sees the other's change, the call after them sees both."""
    seen: list[str] = []
    after: list[str] = []
    agent = make_tool("Agent", call=changing(seen), source="test")
    last = make_tool("Writer", call=changing(after))
    turn = run_calls(calls("Agent", "Agent", "Writer"), session(agent, last))
    assert seen == ["", ""]
    assert after == ["/d/d"]
    assert turn.context.permissions.directory == "/d/d/d"


def test_in_older_versions_an_agent_sees_what_the_one_before_it_changed(session: Session) -> None:
    seen: list[str] = []
    context = session(make_tool("Agent", call=changing(seen), source="test"), options={"version": OLD})
    run_calls(calls("Agent", "Agent"), context)
    assert seen == ["", "/d"]


def test_a_change_that_fails_is_named_and_changes_nothing(session: Session) -> None:
    def broken(context: ToolUseContext) -> ToolUseContext:
        raise ValueError("secret")

    tool = make_tool("Writer", call=lambda *given: ToolResult("done", context_modifier=broken))
    turn = run_calls(calls("Writer"), session(tool))
    assert turn.outcomes[0].error_class == "ValueError"
    assert text(turn.outcomes[0]) == "done"


def failing(*given: Any) -> Any:
    raise ToolError("Exit code 1", "exit_code")


def waiting(given: Any, context: ToolUseContext, progress: Any) -> ToolResult[str]:
    if context.abort.wait(20):
        raise ToolError(context.abort.why, "aborted")
    return ToolResult("waited in vain")


def test_a_failed_command_ends_its_batch(session: Session) -> None:
    tools = (
        make_tool("Bash", is_concurrency_safe=lambda given: True, call=failing, source="test"),
        reader(call=waiting),
    )
    turn = run_calls(calls("Reader", "Bash", "Reader"), session(*tools))
    assert [text(outcome) for outcome in turn.outcomes] == [SIBLING, "Exit code 1", SIBLING]
    assert not turn.context.abort.aborted


def test_calls_that_had_not_begun_are_not_begun(session: Session) -> None:
    began: list[str] = []
    bash = make_tool("Bash", is_concurrency_safe=lambda given: True, call=failing, source="test")
    other = reader(call=lambda given, *rest: began.append(given.text) or ToolResult(""))
    turn = run_calls(calls("Bash", "Reader", "Reader"), session(bash, other), most=1)
    assert not began
    assert [outcome.ended_by for outcome in turn.outcomes] == ["execution", "abort", "abort"]


def test_the_failure_of_any_other_tool_leaves_its_siblings_alone(session: Session) -> None:
    tools = (reader("Broken", call=failing), reader())
    turn = run_calls(calls("Broken", "Reader"), session(*tools), most=1)
    assert turn.outcomes[1].executed


def test_the_next_batch_runs_after_a_failed_command(session: Session) -> None:
    bash = make_tool("Bash", is_concurrency_safe=lambda given: True, call=failing, source="test")
    turn = run_calls(calls("Bash", "Writer"), session(bash, make_tool("Writer")))
    assert turn.outcomes[1].executed


def test_after_an_interruption_every_call_has_a_result_and_none_begins(session: Session) -> None:
    signal = AbortSignal()
    tools = (make_tool("Writer", call=lambda *given: signal.abort("") or ToolResult("x")), reader())
    turn = run_calls(calls("Writer", "Reader", "Reader", "Writer"), session(*tools, abort=signal))
    assert [outcome.ended_by for outcome in turn.outcomes] == ["messages", "abort", "abort", "abort"]
    assert all(outcome.block is not None for outcome in turn.outcomes)


def test_a_hook_that_stops_the_session_stops_the_calls_after(session: Session) -> None:
    hook = {"event": "PostToolUse", "json": {"continue": False, "stopReason": "enough"}}
    turn = run_calls(calls("Writer", "Writer"), session(make_tool("Writer")), Services(hooks=StatedHooks((hook,))))
    assert turn.stop == "enough"
    assert turn.outcomes[1].ended_by == "abort"


def test_results_and_messages_go_into_the_conversation_in_the_order_of_the_calls(session: Session) -> None:
    turn = run_calls(calls("Reader", "Writer", "Reader"), session(reader(), make_tool("Writer")))
    asked, *answered = turn.context.messages
    ids = ["toolu_0", "toolu_1", "toolu_2"]
    assert (asked.kind, [block["id"] for block in asked.content]) == ("assistant", ids)  # type: ignore[index]
    assert [message.content[0]["tool_use_id"] for message in answered] == ids  # type: ignore[index]


def test_a_mode_that_comes_with_an_answer_holds_from_then_on(session: Session) -> None:
    update = {"type": "setMode", "mode": "acceptEdits"}
    hook = {
        "event": "PermissionRequest",
        "json": {"hookSpecificOutput": {"decision": {"behavior": "allow", "updatedPermissions": [update]}}},
    }
    context = session(make_tool("Writer"), allow=())
    turn = run_calls(calls("Writer"), context, Services(hooks=StatedHooks((hook,))))
    assert turn.context.permissions.mode is Mode.ACCEPT_EDITS
    more = [{**update, "mode": "bypassPermissions"}, {"type": "setMode", "mode": "unheard-of"}, {"type": "unheard-of"}]
    hook["json"]["hookSpecificOutput"]["decision"]["updatedPermissions"] = more  # type: ignore[index]
    turn = run_calls(calls("Writer"), context, Services(hooks=StatedHooks((hook,))))
    assert turn.context.permissions.mode is Mode.DEFAULT


def test_a_rule_that_comes_with_an_answer_holds_from_then_on(session: Session) -> None:
    update = {"type": "addRules", "behavior": "allow", "rules": [{"toolName": "Writer"}], "destination": "session"}
    hook = {
        "event": "PermissionRequest",
        "json": {"hookSpecificOutput": {"decision": {"behavior": "allow", "updatedPermissions": [update]}}},
    }
    turn = run_calls(calls("Writer"), session(make_tool("Writer"), allow=()), Services(hooks=StatedHooks((hook,))))
    assert run_call(calls("Writer")[0], turn.context).executed
