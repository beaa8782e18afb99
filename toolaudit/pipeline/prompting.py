"""Who answers what the permission chain asks: hooks, a person, or the person at the terminal of a parent agent.

A sub-agent has no terminal. Its question goes up to the next agent that has one, and the answer comes down. Before
version 2.1.186 nobody heard an agent that ran on its own, so it was refused (documents, 9.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from toolaudit.model import Behavior, Decision, Mode, ToolCall
from toolaudit.model.versions import Difference
from toolaudit.structs import Struct

if TYPE_CHECKING:
    from toolaudit.pipeline.state import State
    from toolaudit.tools.context import Prompter, ToolUseContext


class Question(Struct):
    """What a person is asked."""

    call: ToolCall
    decision: Decision
    """The chain's, which says why it asks."""
    mode: Mode
    agent: str = ""
    """The sub-agent that wants to make the call; empty: the main one."""
    previewed: Any = None
    """The input holding what it will do, where that could be computed beforehand."""


class Answer(Struct):
    """What was answered: allow or deny, and why."""

    behavior: Behavior
    why: str
    by: Literal["person", "hook", "nobody", "recording"] = "person"
    updated_input: Mapping[str, Any] | None = None
    """The whole input, as it was changed on the way."""
    updates: tuple[Mapping[str, Any], ...] = ()
    """Changes of rules and mode that hold from now on."""
    interrupt: bool = False
    """The session stops."""


NOBODY = Answer(Behavior.DENY, "nobody is there to ask", "nobody")


def ask(question: Question, context: ToolUseContext) -> Answer:
    """The answer of whoever can be reached from `context`; a denial where that is nobody (documents, 6, step 15)."""
    prompter = reach(context)
    if prompter is None or prompter.ask is None:
        return NOBODY
    answer = prompter.ask(question)
    if isinstance(answer, Answer) and answer.behavior in (Behavior.ALLOW, Behavior.DENY):
        return answer
    return Answer(Behavior.DENY, "the prompt gave no answer that could be understood", "nobody")


def reach(context: ToolUseContext) -> Prompter | None:
    """The prompter of the agent itself, or of the next one above it that has one."""
    here: ToolUseContext | None = context
    while here is not None:
        if here.prompter.ask is not None:
            return here.prompter
        agent, mode, version = here.agent, here.permissions.mode, here.options.version
        if agent.asynchronous and mode is not Mode.BUBBLE and not version.has(Difference.AGENTS_SURFACE_PROMPTS):
            return None
        here = agent.parent
    return None


class LivePrompter:
    """PermissionRequest hooks first, then a person."""

    def answer(self, state: State) -> Answer:
        assert state.context is not None, "a live call has a context"
        assert state.decision is not None, "only what the chain asks is answered"
        heard = state.world.hooks.hear("PermissionRequest", state, {})
        behavior = heard.verdict.behavior
        if behavior is not None:
            updates = tuple(update for said in heard.said for update in said.updates)
            updated = heard.updated_input if behavior is Behavior.ALLOW else None
            return Answer(behavior, heard.verdict.why, "hook", updated, updates, heard.interrupt)
        previewed = _previewed(state)
        question = Question(state.current, state.decision, state.mode, state.context.agent.id, previewed)
        answer = ask(question, state.context)
        if previewed is not None and answer.behavior is Behavior.ALLOW and answer.updated_input is None:
            state.parsed = previewed
        return answer


def _previewed(state: State) -> Any:
    """The call with what it will do, for the person who is asked and as that person approves it."""
    assert state.context is not None, "a live call has a context"
    if state.tool is None or state.rewritten or reach(state.context) is None:
        return None
    return state.tool.preview(state.parsed, state.context)
