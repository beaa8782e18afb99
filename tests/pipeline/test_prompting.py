"""Whom a question reaches: the person of the agent itself, or of the next agent above it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline.conftest import Session, call, make_tool
from toolaudit.model import Behavior, Mode
from toolaudit.model.versions import Version
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.stated import Fixed
from toolaudit.tools.context import Prompter, create_subagent_context

OLD = Version(2, 1, 100)
"""Before the prompts of agents that run on their own reached a person."""


class Person:
    def __init__(self, behavior: Behavior = Behavior.ALLOW) -> None:
        self.questions: list[Any] = []
        self._behavior = behavior

    def __call__(self, question: Any) -> Answer:
        self.questions.append(question)
        return Answer(self._behavior, "said so")


@pytest.mark.parametrize("behavior", [Behavior.ALLOW, Behavior.DENY])
def test_a_sub_agent_s_question_goes_up_and_the_answer_comes_down(behavior: Behavior, session: Session) -> None:
    person = Person(behavior)
    parent = session(make_tool(), allow=(), prompter=Prompter(person))
    child = create_subagent_context(parent, "agent-1", mode=Mode.BUBBLE)
    grandchild = create_subagent_context(child, "agent-2", mode=Mode.BUBBLE)
    outcome = run_call(call(), grandchild)
    assert outcome.executed is (behavior is Behavior.ALLOW)
    assert [question.agent for question in person.questions] == ["agent-2"]


def test_where_nobody_is_further_up_the_answer_is_no(session: Session) -> None:
    parent = session(make_tool(), allow=())
    assert run_call(call(), create_subagent_context(parent, "a", mode=Mode.BUBBLE)).behavior is Behavior.DENY


@pytest.mark.parametrize(
    ("version", "mode", "asked"),
    [
        (OLD, Mode.DEFAULT, False),
        (OLD, Mode.BUBBLE, True),
        (Version(2, 1, 186), Mode.DEFAULT, True),
    ],
)
def test_an_agent_that_runs_on_its_own(version: Version, mode: Mode, asked: bool, session: Session) -> None:
    person = Person()
    parent = session(make_tool(), allow=(), prompter=Prompter(person), options={"version": version})
    child = create_subagent_context(parent, "a", asynchronous=True, mode=mode)
    assert run_call(call(), child).executed is asked
    assert len(person.questions) == asked


def test_rules_of_the_parent_hold_for_the_child(session: Session) -> None:
    parent = session(make_tool(), deny=("Echo",), prompter=Prompter(Person()))
    assert run_call(call(), create_subagent_context(parent, "a", mode=Mode.BUBBLE)).behavior is Behavior.REMOVED


def test_a_child_counts_its_own_denials(session: Session) -> None:
    tool = make_tool(to_auto_classifier_input=lambda given: "x")
    parent = session(tool, mode=Mode.AUTO, allow=())
    child = create_subagent_context(parent, "a")
    services = Services(classifier=Fixed("block"))
    run_call(call(), child, services)
    assert (child.denials.consecutive, child.denials.total) == (1, 1)
    assert parent.denials.total == 0
    run_call(call(), child, Services(classifier=Fixed("allow")))
    assert (child.denials.consecutive, child.denials.total) == (0, 1)
