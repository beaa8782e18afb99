"""The calls of one message: which of them run side by side, and when what they change takes effect.

Calls that follow each other and may run beside others make a batch; every other call runs alone. A call that ran alone
changes the context for the next one at once. In a batch only agents can change it, as no other tool that may run
beside others is allowed to: their changes wait until the batch has ended and are made in the order of the calls.

A Bash command that fails ends its batch: the calls beside it were made in the belief that it would work. The failure of
any other tool leaves them alone. Source: the seeds, section on context modifiers; agents, documents, 14, row 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any, Final

from toolaudit.model import ToolCall
from toolaudit.model.versions import Difference
from toolaudit.pipeline.errors import classify_tool_error
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.pipeline.permission_updates import update
from toolaudit.structs import Struct, replace
from toolaudit.tools.context import AbortSignal, Options, ToolUseContext
from toolaudit.tools.interface import Tool
from toolaudit.tools.messages import Message

SIDE_BY_SIDE_MAX: Final = 10
"""How many calls run at once (documents, 13)."""

SIBLING: Final = "Sibling tool call errored"
"""Why a call beside a failed command was not done, in the client's words."""

_SHELL: Final = "Bash"
_AGENT: Final = "Agent"


class Batch(Struct):
    """Calls that follow each other in a message."""

    calls: tuple[ToolCall, ...]
    together: bool
    """They run side by side; else it is one call, which runs alone."""


class Turn(Struct):
    """What came of the calls of one message."""

    outcomes: tuple[CallOutcome, ...]
    """In the order of the calls, whatever the order in which they ended."""
    context: ToolUseContext
    """For the next message: with every change, result and new message."""

    @property
    def stop(self) -> str | None:
        """Why the session must not go on; None: it may."""
        return next((outcome.stop for outcome in self.outcomes if outcome.stop is not None), None)


def run_calls(
    calls: Sequence[ToolCall],
    context: ToolUseContext,
    services: Services | None = None,
    most: int = SIDE_BY_SIDE_MAX,
) -> Turn:
    """Runs the calls of one message, at most `most` at a time. Every call has an outcome."""
    services = services or Services()
    outcomes: list[CallOutcome] = []
    before = len(context.messages)
    for batch in partition(calls, context):
        done = _together(batch.calls, context, services, most) if batch.together else _alone(batch, context, services)
        for outcome in done:
            context, kept = _apply(context, outcome)
            outcomes.append(kept)
    messages = (*context.messages[:before], _asked(outcomes), *context.messages[before:])
    return Turn(tuple(outcomes), replace(context, messages=messages) if calls else context)


def _asked(outcomes: Iterable[CallOutcome]) -> Message:
    """The message of the model that held the calls, as they were written."""
    calls = [outcome.call for outcome in outcomes]
    blocks = [{"type": "tool_use", "id": call.id, "name": call.tool, "input": call.input} for call in calls]
    return Message("assistant", tuple(blocks))


def partition(calls: Iterable[ToolCall], context: ToolUseContext) -> tuple[Batch, ...]:
    """The calls as batches, in their order. A call that can't be read runs alone, to fail by itself."""
    batches: list[Batch] = []
    for together, group in groupby(calls, lambda call: _beside(call, context.options)):
        every = tuple(group)
        batches += [Batch(every, True)] if together else [Batch((call,), False) for call in every]
    return tuple(batches)


def _beside(call: ToolCall, options: Options) -> bool:
    tool: Tool[Any, Any, Any] | None = next(
        (tool for tool in options.tools if call.tool == tool.name or call.tool in tool.aliases), None
    )
    if tool is None:
        return False
    if tool.name == _AGENT and (options.coordinator or options.version.has(Difference.AGENTS_SIDE_BY_SIDE)):
        return True
    try:
        return bool(tool.is_concurrency_safe(tool.input_schema.model_validate(dict(call.input))))
    except Exception:
        # Whatever is wrong with the input or with the tool's own code, the call that shows it had better run alone.
        return False


def _alone(batch: Batch, context: ToolUseContext, services: Services) -> list[CallOutcome]:
    return [run_call(call, context, services) for call in batch.calls]


def _together(calls: Sequence[ToolCall], context: ToolUseContext, services: Services, most: int) -> list[CallOutcome]:
    signal = AbortSignal(context.abort)
    shared = replace(context, abort=signal)

    def run(call: ToolCall) -> CallOutcome:
        outcome = run_call(call, shared, services)
        if outcome.call.tool == _SHELL and outcome.ended_by == "execution":
            signal.abort(SIBLING)
        return outcome

    with ThreadPoolExecutor(max(1, min(most, len(calls))), "call") as pool:
        return list(pool.map(run, calls))


def _apply(context: ToolUseContext, outcome: CallOutcome) -> tuple[ToolUseContext, CallOutcome]:
    """The context after a call, and the outcome, which tells where the change of context failed."""
    if outcome.stop is not None or (outcome.answer is not None and outcome.answer.interrupt):
        context.abort.abort(outcome.stop or "the answer to a prompt interrupted the session")
    if outcome.answer is not None and outcome.executed:
        context = replace(context, permissions=update(context.permissions, outcome.answer.updates))
    if outcome.modifier is not None:
        try:
            context = outcome.modifier(context)
        except Exception as error:
            outcome = replace(outcome, error_class=classify_tool_error(error), modifier=None)
    result = () if outcome.block is None else (Message("user", (outcome.block,), outcome.call.tool),)
    return replace(context, messages=(*context.messages, *result, *outcome.messages)), outcome
