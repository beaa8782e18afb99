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
from typing import TYPE_CHECKING

from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall, TraceEntry
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import allow, ask, deny, hook, mode, prompt, removal, safety
from toolaudit.permissions.blocks import NO_BLOCKS, Blocks
from toolaudit.permissions.request import Ask, ClassifierAnswer, HookVerdict, Request
from toolaudit.permissions.verdict import Verdict
from toolaudit.structs import replace

if TYPE_CHECKING:
    from toolaudit.model.verdict import Verdict as ClassifierVerdict

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
    classifier: ClassifierAnswer | Ask = "unavailable",
    version: Version = NEWEST,
    blocks: Blocks = NO_BLOCKS,
    interactive: bool = False,
) -> Decision:
    """What the client decides for `call`. Touches no disk, process or network but through `workspace`.

    A `classifier` that is no answer but can be asked is asked only where the chain comes to need it. `blocks` are those
    of the session before this call.
    """
    stated = classifier if isinstance(classifier, str) else "unavailable"
    request = Request(
        call,
        policy,
        mode,
        workspace,
        hook or HookVerdict(),
        stated,
        version,
        blocks.in_a_row,
        blocks.in_all,
        interactive,
    )
    decision = resolve(request)
    if isinstance(classifier, str) or not reaches_classifier(decision, request):
        return decision
    return resolve(replace(request, classifier=classifier(call)))


def reaches_classifier(decision: Decision, request: Request) -> bool:
    """Whether `decision`, made while no classifier is available, stands for what one would have been asked."""
    return request.classifies and decision.verdict is not None


def resolve(request: Request) -> Decision:
    trace: list[TraceEntry] = []
    for name, link in CHAIN:
        verdict = link(request)
        trace.append(TraceEntry(name, verdict.why, verdict.behavior))
        if verdict.said is not None:
            trace.append(TraceEntry("verdict", _told(verdict.said)))
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
        findings=judgement.findings if verdict.behavior is Behavior.ALLOW else (),
        classifier_approvable=verdict.classifier_approvable,
        verdict=verdict.said,
    )


def _told(said: ClassifierVerdict) -> str:
    category = f", {said.category}" if said.category else ""
    return f"{said.backend}, {said.stage}{category}: {said.behavior}{f'; {said.reason}' if said.reason else ''}"
