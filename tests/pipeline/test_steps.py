"""The fourteen steps: their order, an entry for each, and what each one does to a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from tests.pipeline.conftest import Session, call, make_tool, note, text
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.permissions.hook_words import Heard
from toolaudit.pipeline import STEPS, decide
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.state import State
from toolaudit.pipeline.stated import StatedHooks
from toolaudit.settings import load_objects
from toolaudit.tools.context import AbortSignal, Prompter, ToolUseContext
from toolaudit.tools.interface import PermissionResult, ToolResult
from toolaudit.tools.messages import Message

NAMES = [
    "lookup",
    "abort",
    "schema",
    "meaning",
    "speculation",
    "backfill",
    "pre_hooks",
    "permissions",
    "denial",
    "execution",
    "budget",
    "post_hooks",
    "messages",
    "errors",
]


def hooks(event: str, **said: Any) -> Services:
    return Services(hooks=StatedHooks(({"event": event, **said},)))


def test_the_order_of_the_steps() -> None:
    assert [name for name, _ in STEPS] == NAMES


def test_every_step_leaves_an_entry(session: Session) -> None:
    outcome = run_call(call(text="x"), session(make_tool()))
    assert [entry.stage for entry in outcome.trace] == NAMES
    assert all(entry.note for entry in outcome.trace)
    assert outcome.executed
    assert outcome.ended_by == "messages"
    assert text(outcome) == "x"


def interrupted() -> AbortSignal:
    signal = AbortSignal()
    signal.abort("")
    return signal


def raising(*given: Any) -> Any:
    raise RuntimeError("secret")


ENDS: dict[str, tuple[ToolCall, Mapping[str, Any], Mapping[str, Any], Services | None, Behavior]] = {
    # step: the call, what its tool defines, what the session has, services, what becomes of the call
    "lookup": (call("Nothing"), {}, {}, None, Behavior.REMOVED),
    "abort": (call(), {}, {"abort": interrupted()}, None, Behavior.DENY),
    "schema": (call(count="many"), {}, {}, None, Behavior.INVALID),
    "meaning": (call(), {"validate_input": lambda given, context: "no"}, {}, None, Behavior.INVALID),
    "backfill": (call(), {"backfill": raising}, {}, None, Behavior.DENY),
    "pre_hooks": (call(), {}, {}, hooks("PreToolUse", decision="defer"), Behavior.ASK),
    "permissions": (call(), {"check_permissions": raising}, {}, None, Behavior.DENY),
    "denial": (call(), {}, {"allow": ()}, None, Behavior.DENY),
    "execution": (call(), {"call": raising}, {}, None, Behavior.ALLOW),
    "budget": (call(), {"map_result_to_block": raising}, {}, None, Behavior.DENY),
}


@pytest.mark.parametrize("step", ENDS)
def test_each_step_can_end_the_call(step: str, session: Session) -> None:
    made, definition, members, services, behavior = ENDS[step]
    outcome = run_call(made, session(make_tool(**definition), **members), services)
    assert outcome.ended_by == step
    assert outcome.behavior is behavior
    assert [entry.stage for entry in outcome.trace] == NAMES
    assert all(entry.note for entry in outcome.trace)
    assert outcome.error_class
    assert outcome.block is not None
    assert outcome.block["tool_use_id"] == "toolu_1"
    assert outcome.block["is_error"]


def test_a_tool_of_a_server_takes_the_same_way(session: Session) -> None:
    tool = make_tool("mcp__s__echo", source="s", max_result_size_chars=10)
    outcome = run_call(call("mcp__s__echo", text="x" * 5000), session(tool))
    assert [entry.stage for entry in outcome.trace] == NAMES
    assert "persisted-output" in text(outcome)
    assert run_call(call("mcp__s__echo", count="many"), session(tool)).ended_by == "schema"
    assert run_call(call("mcp__s__echo"), session(tool, allow=())).ended_by == "denial"
    assert run_call(call("mcp__s__echo"), session(tool, deny=("mcp__s",))).ended_by == "lookup"


def test_nothing_runs_after_the_end(session: Session) -> None:
    ran: list[str] = []
    tool = make_tool(call=lambda *given: ran.append("ran"), validate_input=lambda given, context: "no")
    outcome = run_call(call(), session(tool))
    assert not ran
    reached = NAMES.index("meaning")
    assert {note(outcome, step) for step in NAMES[reached + 1 : -1]} == {"not reached"}


def test_no_work_for_a_call_that_was_queued_before_an_interruption(session: Session) -> None:
    asked: list[str] = []
    tool = make_tool(validate_input=lambda given, context: asked.append("asked"))
    assert run_call(call(), session(tool, abort=interrupted())).ended_by == "abort"
    assert not asked


# 1


def test_a_former_name_leads_to_the_tool(session: Session) -> None:
    outcome = run_call(call("OldEcho", text="x"), session(make_tool(aliases=("OldEcho",))))
    assert outcome.executed
    assert outcome.call.tool == "Echo"
    assert "former name" in note(outcome, "lookup")


def test_a_former_name_of_a_denied_tool_leads_nowhere(session: Session) -> None:
    outcome = run_call(call("OldEcho"), session(make_tool(aliases=("OldEcho",)), deny=("Echo",)))
    assert outcome.behavior is Behavior.REMOVED
    assert outcome.end is not None
    assert outcome.end.rule is not None


def test_a_former_name_of_a_tool_outside_the_pool(session: Session) -> None:
    outcome = run_call(call("KillShell", task_id="x"), session(make_tool(), mode=Mode.BYPASS))
    assert outcome.call.tool == "TaskStop"
    assert outcome.ended_by != "lookup"


def test_names_are_case_sensitive(session: Session) -> None:
    assert run_call(call("echo"), session(make_tool())).ended_by == "lookup"


# 3 and 4


def test_a_type_that_does_not_fit_is_told_without_its_value(session: Session) -> None:
    outcome = run_call(call(count="secret"), session(make_tool()))
    assert "count" in text(outcome)
    assert "secret" not in text(outcome)


def test_a_tool_s_own_sense_of_its_input(session: Session) -> None:
    tool = make_tool(validate_input=lambda given, context: "two is too many" if given.count == 2 else None)
    assert run_call(call(count=1), session(tool)).executed
    refused = run_call(call(count=2), session(tool))
    assert refused.behavior is Behavior.INVALID
    assert "two is too many" in text(refused)


# 6


class Path(BaseModel):
    path: str


def absolute(raw: Mapping[str, Any], context: ToolUseContext) -> Mapping[str, Any]:
    return {**raw, "path": raw["path"].replace("~", "/home/dana")}


class Listening:
    """Hooks that note what they are told and say nothing."""

    def __init__(self) -> None:
        self.inputs: list[Mapping[str, Any]] = []

    def hear(self, event: str, state: State, facts: Mapping[str, Any]) -> Heard:
        self.inputs.append(state.current.input)
        return Heard()


def test_hooks_and_permissions_see_what_was_filled_in_the_tool_and_the_transcript_do_not(session: Session) -> None:
    seen: list[str] = []
    checked: list[str] = []

    def check(given: Path, context: ToolUseContext) -> PermissionResult:
        checked.append(given.path)
        return PermissionResult()

    def work(given: Path, context: ToolUseContext, progress: Any) -> ToolResult[str]:
        seen.append(given.path)
        return ToolResult(given.path)

    tool = make_tool(call=work, input_schema=Path, backfill=absolute, check_permissions=check)
    listening = Listening()
    made = ToolCall("Echo", {"path": "~/a"}, "toolu_1")
    outcome = run_call(made, session(tool), Services(hooks=listening))
    assert {given["path"] for given in listening.inputs} == {"/home/dana/a"}
    assert checked == ["/home/dana/a"]
    assert seen == ["~/a"]
    assert outcome.call.input == {"path": "~/a"}
    assert "path" in note(outcome, "backfill")


def test_filling_in_can_t_reach_the_transcript(session: Session) -> None:
    def careless(raw: dict[str, Any], context: ToolUseContext) -> dict[str, Any]:
        raw["path"] = "/elsewhere"
        return raw

    tool = make_tool(input_schema=Path, call=lambda given, *rest: ToolResult(given.path), backfill=careless)
    outcome = run_call(ToolCall("Echo", {"path": "a"}, "1"), session(tool))
    assert outcome.call.input == {"path": "a"}
    assert text(outcome) == "a"


# 7


def test_what_a_hook_rewrote_is_what_runs(session: Session) -> None:
    outcome = run_call(call(text="old"), session(make_tool()), hooks("PreToolUse", updated_input={"text": "new"}))
    assert text(outcome) == "new"
    assert outcome.call.input == {"text": "old"}
    assert note(outcome, "execution") == "called with the input as it was rewritten"


def test_what_a_hook_rewrote_must_fit_the_schema(session: Session) -> None:
    services = hooks("PreToolUse", updated_input={"count": "many"})
    outcome = run_call(call(), session(make_tool()), services)
    assert outcome.ended_by == "pre_hooks"
    assert outcome.behavior is Behavior.INVALID


def test_the_tool_s_check_looks_at_what_a_hook_rewrote(session: Session) -> None:
    def check(given: Any, context: ToolUseContext) -> PermissionResult:
        return PermissionResult(Behavior.DENY if given.text == "bad" else Behavior.ALLOW)

    services = hooks("PreToolUse", updated_input={"text": "bad"})
    assert run_call(call(text="good"), session(make_tool(check_permissions=check)), services).ended_by == "denial"


# 8 and 9


def test_nobody_to_ask_means_no(session: Session) -> None:
    outcome = run_call(call(), session(make_tool(), allow=()))
    assert outcome.decision is not None
    assert outcome.decision.behavior is Behavior.ASK
    assert outcome.behavior is Behavior.DENY
    assert outcome.error_class == "permission_denied"


@pytest.mark.parametrize("behavior", [Behavior.ALLOW, Behavior.DENY])
def test_a_person_s_answer_counts(behavior: Behavior, session: Session) -> None:
    asked: list[Any] = []

    def ask(question: Any) -> Answer:
        asked.append(question)
        return Answer(behavior, "because")

    outcome = run_call(call(text="x"), session(make_tool(), allow=(), prompter=Prompter(ask)))
    assert outcome.executed is (behavior is Behavior.ALLOW)
    assert asked[0].call.input == {"text": "x"}


@pytest.mark.parametrize("answer", [None, True, Answer(Behavior.ASK, "hm")], ids=["none", "yes", "ask"])
def test_an_answer_that_can_t_be_understood_means_no(answer: Any, session: Session) -> None:
    context = session(make_tool(), allow=(), prompter=Prompter(lambda question: answer))
    assert run_call(call(), context).behavior is Behavior.DENY


def test_a_tool_without_objection_grants_nothing(session: Session) -> None:
    assert run_call(call(), session(make_tool(), allow=())).behavior is Behavior.DENY


def test_a_tool_s_own_denial_beats_an_allow_rule_and_bypass(session: Session) -> None:
    tool = make_tool(check_permissions=lambda given, context: PermissionResult(Behavior.DENY, "never"))
    outcome = run_call(call(), session(tool, mode=Mode.BYPASS))
    assert outcome.behavior is Behavior.DENY
    assert "never" in text(outcome)


def test_a_tool_may_rewrite_its_input(session: Session) -> None:
    word = PermissionResult(updated_input={"text": "tame"})
    tool = make_tool(check_permissions=lambda given, context: word)
    assert text(run_call(call(text="wild"), session(tool))) == "tame"


@pytest.mark.parametrize(("approvable", "executed"), [(True, True), (False, False)])
def test_an_allow_rule_lifts_a_tool_s_ask_but_no_safety_check(
    approvable: bool, executed: bool, session: Session
) -> None:
    word = PermissionResult(Behavior.ASK, "hm", classifier_approvable=approvable)
    outcome = run_call(call(), session(make_tool(check_permissions=lambda given, context: word)))
    assert outcome.executed is executed


@pytest.mark.parametrize(("read_only", "executed"), [(True, True), (False, False)])
def test_plan_mode_starts_what_only_reads(read_only: bool, executed: bool, session: Session) -> None:
    tool = make_tool(is_read_only=lambda given: read_only)
    assert run_call(call(), session(tool, mode=Mode.PLAN)).executed is executed


# 10 to 13


def test_the_context_is_copied_before_every_call(session: Session) -> None:
    given: list[ToolUseContext] = []
    tool = make_tool(call=lambda one, context, progress: given.append(context) or ToolResult(""))
    context = session(tool)
    run_call(call(), context)
    assert given[0] is not context


def test_new_messages_follow_the_result(session: Session) -> None:
    message = Message("attachment", "said", "agent")
    tool = make_tool(call=lambda *given: ToolResult("", new_messages=(message,)))
    outcome = run_call(
        call(), session(tool), hooks("PreToolUse", json={"hookSpecificOutput": {"additionalContext": "c"}})
    )
    assert [one.content for one in outcome.messages] == ["c", "said"]


def test_progress_is_passed_on(session: Session) -> None:
    heard: list[Any] = []

    def work(given: Any, context: Any, progress: Any) -> ToolResult[str]:
        progress("half")
        return ToolResult("done")

    services = Services(progress=lambda name, news: heard.append((name, news)))
    run_call(call(), session(make_tool(call=work)), services)
    assert heard == [("toolu_1", "half")]


def test_decide_takes_the_same_steps() -> None:
    policy = load_objects({}, cwd="/srv", home="/home/dana")
    decision = decide(ToolCall("Bash", {"command": "ls"}), policy, Mode.DEFAULT, UnknownWorkspace())
    assert decision.behavior is Behavior.ALLOW
    assert decision.trace[0].stage == "lookup"
