"""The context of a call: what it holds, and what of it a sub-agent shares."""

from __future__ import annotations

import threading

import pytest

from toolaudit.model import Mode, Policy
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.structs import replace
from toolaudit.tools.context import (
    AbortSignal,
    AgentContext,
    AppState,
    ContentReplacementState,
    DenialTracking,
    FileState,
    FileStateCache,
    PermissionContext,
    Prompter,
    ToolUseContext,
    create_subagent_context,
)
from toolaudit.tools.messages import Message


def parent() -> ToolUseContext:
    return ToolUseContext(
        PermissionContext(Policy(), Mode.DEFAULT, UnknownWorkspace()),
        app=AppState({"tasks": 1}),
        messages=(Message("user", "hello"),),
        prompter=Prompter(lambda question: None),
        agent=AgentContext(system_prompt="as it was rendered"),
    )


def test_nothing_of_a_context_can_be_set() -> None:
    with pytest.raises(AttributeError):
        parent().messages = ()  # type: ignore[misc]


def test_without_a_person_there_is_nothing_to_call() -> None:
    context = ToolUseContext(PermissionContext(Policy(), Mode.DEFAULT, UnknownWorkspace()))
    assert context.prompter.ask is None
    assert context.prompter.notify is None


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_child_s_own(asynchronous: bool) -> None:
    above = parent()
    child = create_subagent_context(above, "agent-1", asynchronous=asynchronous, mode=Mode.PLAN)
    assert child.agent.id == "agent-1"
    assert child.agent.parent is above
    assert child.messages == ()
    assert child.permissions.mode is Mode.PLAN
    assert above.permissions.mode is Mode.DEFAULT
    assert child.denials is not above.denials
    assert child.prompter.ask is None
    assert child.options is above.options
    assert child.permissions.policy is above.permissions.policy


def test_a_child_gets_the_system_prompt_as_it_was_rendered() -> None:
    """Rendering it again could differ, and cost the prompt cache."""
    assert create_subagent_context(parent(), "a").agent.system_prompt == "as it was rendered"


def test_a_child_that_is_waited_for_writes_the_state_of_its_parent() -> None:
    above = parent()
    create_subagent_context(above, "a").app.update("tasks", lambda value: value + 1)
    assert above.app.get("tasks") == 2


def test_a_child_on_its_own_reads_the_state_and_can_t_write_it() -> None:
    above = parent()
    child = create_subagent_context(above, "a", asynchronous=True)
    child.app.update("tasks", lambda value: value + 1)
    assert above.app.get("tasks") == child.app.get("tasks") == 1
    above.app.update("tasks", lambda value: 5)
    assert child.app.get("tasks") == 5


def test_replacements_are_cloned() -> None:
    above = parent()
    above.replacements.replace("1", "/file")
    above.replacements.take(10)
    child = create_subagent_context(above, "a")
    child.replacements.replace("2", "/other")
    child.replacements.take(5)
    assert child.replacements.replaced == {"1": "/file", "2": "/other"}
    assert (above.replacements.characters, child.replacements.characters) == (10, 15)
    assert above.replacements.replaced == {"1": "/file"}


def test_files_read_are_a_copy() -> None:
    above = parent()
    above.files.put("/a", FileState("a", 1.0))
    child = create_subagent_context(above, "a")
    child.files.put("/b", FileState("b", 1.0))
    assert child.files.get("/a") is not None
    assert above.files.get("/b") is None


@pytest.mark.parametrize(("asynchronous", "reaches_up"), [(False, True), (True, False)])
def test_an_interruption_goes_down_and_up_only_where_somebody_waits(asynchronous: bool, reaches_up: bool) -> None:
    above = parent()
    child = create_subagent_context(above, "a", asynchronous=asynchronous)
    child.abort.abort("enough")
    assert above.abort.aborted is reaches_up
    other = parent()
    child = create_subagent_context(other, "a", asynchronous=asynchronous)
    other.abort.abort("enough")
    assert child.abort.aborted
    assert child.abort.why == "enough"


def test_the_longest_unused_file_is_forgotten_first() -> None:
    cache = FileStateCache(most=2)
    for name in ("a", "b"):
        cache.put(name, FileState(name, 0.0))
    cache.get("a")
    cache.put("c", FileState("c", 0.0))
    assert cache.get("b") is None
    assert cache.get("a") is not None
    assert len(cache) == 2


def test_long_files_are_forgotten_for_their_size() -> None:
    cache = FileStateCache(most_characters=10)
    cache.put("a", FileState("x" * 6, 0.0))
    cache.put("b", FileState("x" * 6, 0.0))
    assert cache.get("a") is None
    cache.put("b", FileState("x" * 4, 0.0))
    cache.put("c", FileState("x" * 6, 0.0))
    assert len(cache) == 2


def test_denials_side_by_side_are_all_counted() -> None:
    denials = DenialTracking()
    threads = [threading.Thread(target=denials.count, args=(0, 1)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (denials.consecutive, denials.total) == (20, 20)
    denials.count(20, 0)
    assert (denials.consecutive, denials.total) == (0, 20)


def test_a_signal_keeps_its_first_reason() -> None:
    signal = AbortSignal()
    assert signal.why == ""
    signal.abort("first")
    signal.abort("second")
    assert signal.why == "first"
    assert signal.wait(0)


def test_a_budget_takes_what_it_has_room_for() -> None:
    state = ContentReplacementState(10)
    assert [state.take(6), state.take(6), state.take(4)] == [True, False, True]
    assert state.take(100, always=True)
    assert state.characters == 110


def test_a_context_is_changed_by_making_another() -> None:
    above = parent()
    other = replace(above, messages=())
    assert above.messages
    assert not other.messages
