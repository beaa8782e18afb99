"""What came of a live or recorded call, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from toolaudit.model import Behavior, Decision, ToolCall, TraceEntry
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.state import State
from toolaudit.structs import Struct
from toolaudit.tools.messages import Message

if TYPE_CHECKING:
    from toolaudit.tools.context import ToolUseContext


class CallOutcome(Struct):
    """Everything a call leaves behind."""

    call: ToolCall
    """As the model wrote it, under the tool's present name."""
    decision: Decision | None
    """The permission chain's; None where the call ended before, or a step failed."""
    end: Decision | None
    """What ended the call before it was done; None: it was carried out."""
    answer: Answer | None
    """How a prompt was answered, where there was one."""
    trace: tuple[TraceEntry, ...]
    """One entry for each of the steps, in their order."""
    ended_by: str
    """The step at which the call ended: `messages` for one that was done, `execution` for one that failed."""
    block: Mapping[str, Any] | None
    """The `tool_result` for the model; None where a recording keeps it."""
    messages: tuple[Message, ...]
    """What follows the result in the conversation: hooks' notes, then the tool's own messages."""
    modifier: Callable[[ToolUseContext], ToolUseContext] | None
    """The change of context for later calls."""
    error_class: str | None
    """What went wrong, in a word that telemetry may carry."""
    stop: str | None
    """Why the session must not go on; None: it may."""
    blocked: int = 0
    """Calls in a row that the classifier blocked, this one included."""

    @property
    def executed(self) -> bool:
        """Whether the tool was called, well or badly."""
        return self.end is None

    @property
    def behavior(self) -> Behavior:
        """What became of the call in one word."""
        return Behavior.ALLOW if self.end is None else self.end.behavior


def outcome_of(state: State) -> CallOutcome:
    """The outcome of a call that went through the steps."""
    done = "messages" if state.failure is None else "execution"
    return CallOutcome(
        call=state.call,
        decision=state.decision,
        end=state.end,
        answer=state.answer,
        trace=tuple(state.trace),
        ended_by=state.ended_by or done,
        block=state.block,
        messages=(*state.notes, *state.new_messages),
        modifier=state.modifier,
        error_class=state.error_class,
        stop=state.stop,
        blocked=state.blocked,
    )
