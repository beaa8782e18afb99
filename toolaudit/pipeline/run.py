"""The steps of a call up to its decision, in order; each may end it.

lookup       the tool, by its name or a former one; a tool that is not in the pool is `removed`
hooks        PreToolUse hooks, as stated or recorded; they may rewrite the input
permissions  the chain of `toolaudit.permissions`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolaudit.model import Behavior, Decision, Mode, Policy, Rule, ToolCall, TraceEntry
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import chain, stated_hooks
from toolaudit.permissions.request import ClassifierAnswer, HookVerdict, Request
from toolaudit.tools import pool
from toolaudit.tools.pool import Pool


@dataclass(slots=True)
class Call:
    """One call on its way: what the steps know of it and may change."""

    call: ToolCall
    policy: Policy
    mode: Mode
    workspace: Workspace
    hooks: tuple[Mapping[str, Any], ...]
    classifier: ClassifierAnswer
    pool: Pool
    verdict: HookVerdict = field(default_factory=HookVerdict)
    trace: list[TraceEntry] = field(default_factory=list)


def decide(
    call: ToolCall,
    policy: Policy,
    mode: Mode,
    workspace: Workspace,
    *,
    hooks: Iterable[Mapping[str, Any]] = (),
    classifier: ClassifierAnswer = "unavailable",
    offered: Pool = pool.ANY,
) -> Decision:
    """What the client decides for `call`.

    `hooks` are stated verdicts; no hook is run. `offered` is the pool before rules take tools out. Touches no disk,
    process or network but through `workspace`.
    """
    state = Call(call, policy, mode, workspace, tuple(hooks), classifier, offered)
    for name, step in STEPS:
        decision = step(state)
        if decision is not None:
            return decision if not state.trace else replace(decision, trace=(*state.trace, *decision.trace))
        if name in PASSED:
            state.trace.append(TraceEntry(name, PASSED[name]))
    raise AssertionError("the last step decides every call")


def _lookup(state: Call) -> Decision | None:
    state.call = replace(state.call, tool=pool.canonical(state.call.tool))
    gone = pool.removed(state.call.tool, state.policy, state.pool)
    if gone is None:
        return None
    rule, why = (
        (gone, f"deny rule {gone.text} takes the tool out of the pool") if isinstance(gone, Rule) else (None, gone)
    )
    return Decision(Behavior.REMOVED, "lookup", None, why, rule, trace=(TraceEntry("lookup", why, Behavior.REMOVED),))


def _hooks(state: Call) -> Decision | None:
    heard = stated_hooks.hear(state.hooks, state.call)
    state.call, state.verdict = heard.call, heard.verdict
    return None


def _permissions(state: Call) -> Decision | None:
    request = Request(state.call, state.policy, state.mode, state.workspace, state.verdict, state.classifier)
    return chain.resolve(request)


STEPS = (("lookup", _lookup), ("hooks", _hooks), ("permissions", _permissions))

PASSED = {"lookup": "the tool is in the pool"}
"""What the trace says of a step that let the call pass; what hooks said is the chain's first link to tell."""
