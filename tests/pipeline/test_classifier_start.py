"""The classifier that begins early: for shell commands alone, heard only where it is needed, and in time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline.conftest import AnyTool, Session, make_tool, note
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.permissions.hook_words import SILENCE, Heard
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.stated import StatedHooks


class Slow:
    """A classifier that tells what was wanted of it."""

    def __init__(self, said: Any = "allow") -> None:
        self.said = said
        self.did: list[str] = []

    def start(self, call: ToolCall, state: Any) -> Slow:
        self.did.append(f"start in {state.mode}")
        return self

    def answer(self) -> Any:
        self.did.append("answer")
        return self.said

    def discard(self) -> None:
        self.did.append("discard")


def bash() -> AnyTool:
    from pydantic import BaseModel

    class Command(BaseModel):
        command: str

    return make_tool("Bash", input_schema=Command, call=lambda given, *rest: _done())


def _done() -> Any:
    from toolaudit.tools.interface import ToolResult

    return ToolResult("ran")


def run(session: Session, classifier: Slow, command: str, **given: Any) -> Any:
    services = Services(classifier=classifier, **given.pop("services", {}))
    return run_call(ToolCall("Bash", {"command": command}, "1"), session(bash(), allow=(), **given), services)


def test_it_begins_before_the_chain_needs_it(session: Session) -> None:
    classifier = Slow()

    class Noting:
        def hear(self, event: str, state: Any, facts: Any) -> Heard:
            classifier.did.append(event)
            return SILENCE

    outcome = run(session, classifier, "make install", mode=Mode.AUTO, services={"hooks": Noting()})
    assert outcome.executed
    assert classifier.did == ["start in auto", "PreToolUse", "answer", "PostToolUse"]
    assert "begun" in note(outcome, "speculation")


def test_a_command_that_rules_settle_drops_it(session: Session) -> None:
    classifier = Slow()
    assert run(session, classifier, "ls", mode=Mode.AUTO).executed
    assert classifier.did == ["start in auto", "discard"]


@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.DONT_ASK, Mode.BYPASS])
def test_modes_without_a_classifier_start_none(mode: Mode, session: Session) -> None:
    classifier = Slow()
    run(session, classifier, "make install", mode=mode)
    assert not classifier.did


def test_only_commands_are_judged_ahead_of_need(session: Session) -> None:
    classifier = Slow()
    tool = make_tool(to_auto_classifier_input=lambda given: given.text)
    context = session(tool, mode=Mode.AUTO)
    run_call(ToolCall("Echo", {}, "1"), context, Services(classifier=classifier))
    assert not classifier.did


@pytest.mark.parametrize(("said", "behavior"), [("block", Behavior.DENY), ("unavailable", Behavior.DENY)])
def test_no_verdict_is_as_good_as_a_no(said: str, behavior: Behavior, session: Session) -> None:
    assert run(session, Slow(said), "make install", mode=Mode.AUTO).behavior is behavior


def test_what_it_said_in_a_mode_that_is_over_counts_for_nothing(session: Session) -> None:
    classifier = Slow("allow")
    services = {"mode_now": lambda: Mode.DONT_ASK}
    outcome = run(session, classifier, "make install", mode=Mode.AUTO, services=services)
    assert classifier.did == ["start in auto", "answer"]
    assert outcome.behavior is Behavior.DENY
    assert outcome.decision.stage == "prompt"
    assert "dontAsk" in outcome.decision.why


def test_a_tool_that_shows_it_nothing_goes_the_ordinary_way(session: Session) -> None:
    """A forgotten classifier input: a person is asked, the classifier is not."""
    classifier = Slow("allow")
    outcome = run_call(
        ToolCall("Echo", {}, "1"), session(make_tool(), mode=Mode.AUTO, allow=()), Services(classifier=classifier)
    )
    assert not classifier.did
    assert outcome.decision is not None
    assert outcome.decision.behavior is Behavior.ASK


def test_a_hook_s_denial_drops_it(session: Session) -> None:
    classifier = Slow()
    services = {"hooks": StatedHooks(({"decision": "deny"},))}
    assert run(session, classifier, "make install", mode=Mode.AUTO, services=services).behavior is Behavior.DENY
    assert classifier.did == ["start in auto", "discard"]
