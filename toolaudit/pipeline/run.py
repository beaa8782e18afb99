"""The steps of a call up to its decision, in order; each may end it.

lookup       the tool, by its name or a former one; a tool that is not in the pool is `removed`
schema       the input by itself; a malformed one is `invalid`
meaning      the input against deny rules for its path, and against files and session
hooks        PreToolUse hooks, as stated or recorded; they may rewrite the input
permissions  the chain of `toolaudit.permissions`
execution    an allowed call that can't be done is `invalid`; one that can leaves its traces in the session

Without a session, no input is held against a schema, files or earlier calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from toolaudit.model import Behavior, Decision, Mode, Policy, Rule, ToolCall, TraceEntry
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import chain, prompt, stated_hooks
from toolaudit.permissions.paths import absolute
from toolaudit.permissions.request import ClassifierAnswer, HookVerdict, Request
from toolaudit.tools import pool
from toolaudit.tools.pool import Pool
from toolaudit.tools.session import Session


class Call(Struct):
    """One call on its way: what the steps know of it and may change."""

    call: ToolCall
    policy: Policy
    mode: Mode
    workspace: Workspace
    hooks: tuple[Mapping[str, Any], ...]
    classifier: ClassifierAnswer
    pool: Pool
    session: Session | None
    version: Version
    verdict: HookVerdict = HookVerdict()
    trace: list[TraceEntry] = field(default_factory=list)
    decision: Decision | None = None
    """The chain's, once it has spoken."""

    @property
    def path(self) -> str:
        """The absolute path of a file tool's call; empty for any other."""
        if self.call.tool not in pool.PATHS:
            return ""
        given = self.call.input.get(pool.PATHS[self.call.tool]) or "."
        return absolute(given, self.workspace) if isinstance(given, str) else ""

    @property
    def request(self) -> Request:
        blocked = self.session.blocked if self.session is not None else 0
        return Request(
            self.call,
            self.policy,
            self.mode,
            self.workspace,
            self.verdict,
            self.classifier,
            self.version,
            blocked,
        )


def decide(
    call: ToolCall,
    policy: Policy,
    mode: Mode,
    workspace: Workspace,
    *,
    hooks: Iterable[Mapping[str, Any]] = (),
    classifier: ClassifierAnswer = "unavailable",
    offered: Pool = pool.ANY,
    session: Session | None = None,
    version: Version = NEWEST,
) -> Decision:
    """What the client decides for `call`.

    `hooks` are stated verdicts; no hook is run. `offered` is the pool before rules take tools out. With a `session`,
    invalid inputs are told apart, and an allowed call is recorded in it. Touches no disk, process or network but
    through `workspace`.
    """
    state = Call(call, policy, mode, workspace, tuple(hooks), classifier, offered, session, version)
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


def _schema(state: Call) -> Decision | None:
    if state.session is None:
        return None
    from toolaudit.tools import validation

    why = validation.malformed(state.call)
    return None if why is None else _invalid("schema", why)


def _meaning(state: Call) -> Decision | None:
    path, request = state.path, state.request
    if path:
        from toolaudit.permissions import files

        denied = files.denied_by_name(request)
        if denied is not None:
            trace = (TraceEntry("meaning", denied.why, Behavior.DENY),)
            return Decision(Behavior.DENY, "meaning", None, denied.why, denied.rule, trace=trace)
    if state.session is None:
        return None
    from toolaudit.tools import validation

    readable = bool(path) and files.readable(path, request)
    why = validation.misfit(state.call, path, state.workspace, state.session, state.mode, readable)
    return None if why is None else _invalid("meaning", why)


def _invalid(stage: str, why: str) -> Decision:
    return Decision(Behavior.INVALID, stage, None, why, trace=(TraceEntry(stage, why, Behavior.INVALID),))


def _hooks(state: Call) -> Decision | None:
    given = state.call
    heard = stated_hooks.hear(state.hooks, given)
    state.call, state.verdict = heard.call, heard.verdict
    return None if state.call is given else _schema(state)


def _permissions(state: Call) -> Decision | None:
    state.decision = chain.resolve(state.request)
    if state.session is not None:
        state.session.blocked = prompt.count_blocks(state.session.blocked, state.decision, state.mode)
    return None if state.session is not None and state.decision.behavior is Behavior.ALLOW else state.decision


def _execution(state: Call) -> Decision | None:
    decision, session = state.decision, state.session
    assert decision is not None
    assert session is not None, "without a session, the chain's decision stands"
    from toolaudit.tools import validation

    path = state.path
    why = validation.failure(state.call, path, session)
    if why is not None:
        return replace(_invalid("execution", why), trace=(*decision.trace, *_invalid("execution", why).trace))
    if path:
        session.record(state.call, path)
    return decision


STEPS = (
    ("lookup", _lookup),
    ("schema", _schema),
    ("meaning", _meaning),
    ("hooks", _hooks),
    ("permissions", _permissions),
    ("execution", _execution),
)

PASSED = {"lookup": "the tool is in the pool"}
"""What the trace says of a step that let the call pass; what hooks said is the chain's first link to tell."""
