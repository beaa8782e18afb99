"""A live call: all fourteen steps against a real context.

    outcome = run_call(call, context)

`Services` says what may run besides the tool: hooks and a classifier, both silent unless given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from toolaudit.model import Mode, ToolCall
from toolaudit.permissions.blocks import IN_ALL
from toolaudit.permissions.file_access import PolicyAccess
from toolaudit.pipeline import telemetry
from toolaudit.pipeline.abort import INTERRUPTED
from toolaudit.pipeline.live_tools import LiveTools
from toolaudit.pipeline.outcome import CallOutcome, outcome_of
from toolaudit.pipeline.prompting import LivePrompter
from toolaudit.pipeline.refusals import refusal
from toolaudit.pipeline.run import walk
from toolaudit.pipeline.state import Classifier, Hooks, State, World
from toolaudit.pipeline.stated import Fixed, StatedHooks
from toolaudit.structs import Struct, field, replace
from toolaudit.tools.context import AbortSignal, ToolUseContext
from toolaudit.tools.interface import ToolError

CALL_SECONDS: Final = 660.0
"""How long any call may take: a minute more than a command may ask for."""

GRACE_SECONDS: Final = 2.0
"""How long a tool that was interrupted may take to say so before it is left behind."""

_POLL_SECONDS: Final = 0.05

Progress = Callable[[str, Any], None]
"""Hears what a tool reports while it works: the id of the call, and the tool's own kind of news."""


def _unheard(call_id: str, news: Any) -> None:
    """Nobody watches."""


class Services(Struct):
    """What a session lends to its calls."""

    hooks: Hooks = field(default_factory=StatedHooks)
    classifier: Classifier = field(default_factory=Fixed)
    progress: Progress = _unheard
    report: Callable[[State], None] = telemetry.report
    mode_now: Callable[[], Mode] | None = None
    """The session's mode at this moment, where a person can change it while a call is on its way."""
    call_seconds: float = CALL_SECONDS


def run_call(call: ToolCall, context: ToolUseContext, services: Services | None = None) -> CallOutcome:
    """Carries out one call. Raises nothing for what a tool, a hook or a prompt does; the outcome tells it.

    The change of context the tool asks for is in the outcome; who runs the calls of a message applies it.
    """
    services = services or Services()
    permissions = context.permissions
    access = PolicyAccess(permissions.policy, permissions.mode, permissions.workspace, context.options.version)
    # A context is copied before every call: what a tool did to its own would reach nobody.
    context = replace(context, permissions=replace(permissions, access=access))
    world = World(
        LiveTools(),
        services.hooks,
        services.classifier,
        LivePrompter(),
        LiveExecutor(services.progress, services.call_seconds),
        context.abort,
        services.report,
        services.mode_now,
    )
    before = context.denials.consecutive
    state = State(
        call,
        permissions.policy,
        permissions.mode,
        permissions.workspace,
        world,
        context.options.version,
        before,
        # The limit on all blocks starts anew once it was reached.
        context.denials.total % IN_ALL,
        context,
    )
    walk(state)
    if state.block is None:
        state.block = refusal(state)
    context.denials.count(before, state.blocked)
    return outcome_of(state)


class LiveExecutor(Struct):
    """Calls the tool in a thread of its own, so that one that hangs can be left behind."""

    progress: Progress
    seconds: float

    def execute(self, state: State) -> str:
        assert state.tool is not None
        assert state.context is not None
        given = state.parsed
        if state.rewritten:
            given = state.tool.input_schema.model_validate(dict(state.current.input))
        work = _Work(state, given, self.progress)
        thread = threading.Thread(target=work.run, daemon=True, name=f"tool {state.call.tool}")
        thread.start()
        _wait(work.done, self.seconds, state.context.abort)
        if not work.done.is_set():
            work.abandoned = True
            state.failure = _overdue(state.context.abort, self.seconds)
        elif work.failure is not None:
            state.failure = work.failure
        else:
            state.result = work.result
            return (
                "called with the input as it was rewritten" if state.rewritten else "called with the input as written"
            )
        return f"the tool failed: {type(state.failure).__name__}"


class _Work:
    """One run of a tool, and what came of it."""

    def __init__(self, state: State, given: Any, progress: Progress) -> None:
        self._state, self._given, self._progress = state, given, progress
        self.done = threading.Event()
        self.abandoned = False
        self.result: Any = None
        self.failure: BaseException | None = None

    def run(self) -> None:
        tool, context = self._state.tool, self._state.context
        assert tool is not None
        assert context is not None
        try:
            self.result = tool.call(self._given, context, self._report)
        except BaseException as error:
            self.failure = error
        finally:
            self.done.set()

    def _report(self, news: Any) -> None:
        if not self.abandoned:
            self._progress(self._state.call.id or "", news)


def _wait(done: threading.Event, seconds: float, abort: AbortSignal) -> None:
    """Until the work is done, time is up, or an interruption was given its grace."""
    deadline = time.monotonic() + seconds
    while not done.wait(min(_POLL_SECONDS, max(0.0, deadline - time.monotonic()))):
        if abort.aborted:
            done.wait(GRACE_SECONDS)
            return
        if time.monotonic() >= deadline:
            return


def _overdue(abort: AbortSignal, seconds: float) -> ToolError:
    if abort.aborted:
        return ToolError(abort.why or INTERRUPTED, "aborted")
    return ToolError(f"The tool gave no result within {seconds:g} seconds and was left behind.", "timeout")
