"""The chain that settles a call, link by link, in the order the client was measured to use.

    hook      a PreToolUse hook's deny is final
    deny      deny rules: for the tool, then for any part of the call
    ask       ask rules, likewise
    removal   critical removals, which nothing approves
    mode      bypassPermissions allows what is left
    safety    protected paths and deferred execution, which allow rules do not approve
    allow     allow rules, and what needs no permission
    prompt    what is left: a prompt, a classifier, or a denial, by mode

Sources: documents, 6 and 14; the order measured.
"""

from __future__ import annotations

from collections.abc import Callable

from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall, TraceEntry
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import allow, ask, deny, hook, mode, prompt, removal, safety
from toolaudit.permissions.request import ClassifierAnswer, HookVerdict, Request
from toolaudit.permissions.verdict import Verdict

Link = Callable[[Request], Verdict]

CHAIN: tuple[tuple[str, Link], ...] = (
    ("hook", hook.resolve),
    ("deny", deny.resolve),
    ("ask", ask.resolve),
    ("removal", removal.resolve),
    ("mode", mode.resolve),
    ("safety", safety.resolve),
    ("allow", allow.resolve),
    ("prompt", prompt.resolve),
)


def decide(
    call: ToolCall,
    policy: Policy,
    mode: Mode,
    workspace: Workspace,
    *,
    hook: HookVerdict | None = None,
    classifier: ClassifierAnswer = "unavailable",
    version: Version = NEWEST,
) -> Decision:
    """What the client decides for `call`. Touches no disk, process or network but through `workspace`."""
    return resolve(Request(call, policy, mode, workspace, hook or HookVerdict(), classifier, version))


def resolve(request: Request) -> Decision:
    trace: list[TraceEntry] = []
    for name, link in CHAIN:
        verdict = link(request)
        trace.append(TraceEntry(name, verdict.why, verdict.behavior))
        if verdict.behavior is not None:
            return _decision(request, name, verdict, trace)
    raise AssertionError("the last link settles every call")


def _decision(request: Request, stage: str, verdict: Verdict, trace: list[TraceEntry]) -> Decision:
    assert verdict.behavior is not None
    judgement = request.judgement
    reason_type = verdict.reason_type if verdict.behavior is not Behavior.ALLOW else None
    return Decision(
        behavior=verdict.behavior,
        stage=stage,
        reason_type=reason_type,
        why=verdict.why,
        rule=verdict.rule,
        subcommands=judgement.outcomes,
        trace=tuple(trace),
        findings=judgement.findings,
        classifier_approvable=verdict.classifier_approvable,
    )
