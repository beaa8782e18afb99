"""The path of a call: fourteen steps in one order, each of which may end it.

    1  lookup       the tool, by its name or a former one
    2  abort        nothing begins after an interruption
    3  schema       the input by itself
    4  meaning      the input against deny rules for its path, files and session
    5  speculation  a classifier begins to judge a shell command
    6  backfill     derived fields, on a copy
    7  pre_hooks    PreToolUse hooks
    8  permissions  the chain of `toolaudit.permissions`, a classifier, a person
    9  denial       the end of what was not allowed
    10 execution    the call itself
    11 budget       results that are too long
    12 post_hooks   PostToolUse and PostToolUseFailure hooks
    13 messages     new messages and changes of context
    14 errors       what went wrong, in words that telemetry may carry

The same steps decide a call from stated data, replay a recorded one and run a live one: what differs is the `World`
they ask. Source: the seeds, the order of the path of a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall, TraceEntry
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.request import Ask, ClassifierAnswer
from toolaudit.pipeline import (
    abort,
    backfill,
    budget,
    denial,
    errors,
    execution,
    lookup,
    meaning,
    messages,
    permissions,
    post_hooks,
    pre_hooks,
    schema,
    speculation,
)
from toolaudit.pipeline.state import State, ends
from toolaudit.structs import replace
from toolaudit.tools import pool
from toolaudit.tools.pool import Pool
from toolaudit.tools.session import Session

Step = Callable[[State], "str | Decision"]
"""Says why the call passes, or gives the decision that ends it."""

STEPS: Final[tuple[tuple[str, Step], ...]] = (
    ("lookup", lookup.run),
    ("abort", abort.run),
    ("schema", schema.run),
    ("meaning", meaning.run),
    ("speculation", speculation.run),
    ("backfill", backfill.run),
    ("pre_hooks", pre_hooks.run),
    ("permissions", permissions.run),
    ("denial", denial.run),
    ("execution", execution.run),
    ("budget", budget.run),
    ("post_hooks", post_hooks.run),
    ("messages", messages.run),
    ("errors", errors.run),
)

NOT_REACHED: Final = "not reached"
"""What the trace says of a step after the one that ended the call."""

_NOT_REACHED: Final = {name: TraceEntry(name, NOT_REACHED) for name, _ in STEPS}
_PASSED: Final = TraceEntry("lookup", "the tool is in the pool")

_entry: Final = lru_cache(maxsize=256)(TraceEntry)
"""Most steps pass most calls in the same few words."""


def walk(state: State) -> None:
    """Takes a call through the steps, and leaves an entry for each of them in its trace.

    The last step sees every call. What a step raises ends the call there: it is the fault of a tool's or a hook's own
    code, and the call is refused.
    """
    for name, step in STEPS:
        if state.ended_by is not None and step is not errors.run:
            state.trace.append(_NOT_REACHED[name])
            continue
        try:
            said = step(state)
        except Exception as error:
            state.failure = error
            said = ends(name, Behavior.DENY, f"the step failed: {type(error).__name__}")
        if isinstance(said, str):
            state.trace.append(_entry(name, said))
            continue
        state.ended_by, state.end = name, said
        state.trace.append(TraceEntry(name, said.why, said.behavior))


def decide(
    call: ToolCall,
    policy: Policy,
    mode: Mode,
    workspace: Workspace,
    *,
    hooks: Iterable[Mapping[str, Any]] = (),
    classifier: ClassifierAnswer | Ask = "unavailable",
    offered: Pool = pool.ANY,
    session: Session | None = None,
    version: Version = NEWEST,
) -> Decision:
    """What the client decides for `call`.

    `hooks` are stated verdicts; no hook is run. A `classifier` that can be asked is asked only where the chain comes to
    need it. `offered` is the pool before rules take tools out. With a `session`, invalid inputs are told apart, and an
    allowed call is recorded in it; without one, no input is held against a schema, files or earlier calls. Touches no
    disk, process or network but through `workspace` and a classifier that is asked.
    """
    from toolaudit.pipeline.stated import world

    stated = world(tuple(hooks), classifier, offered, session)
    state = State(call, policy, mode, workspace, stated, version, session.blocked if session is not None else 0)
    walk(state)
    if state.failure is not None:
        raise state.failure
    if session is not None:
        session.blocked = state.blocked
    decision = state.end
    assert decision is not None, "the executor of stated data ends every call"
    return decision if state.ended_by == "lookup" else replace(decision, trace=(_PASSED, *decision.trace))
