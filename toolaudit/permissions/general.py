"""The check of tools that have none of their own, and what every check shares: bare and parameter rules.

A bare ask rule takes over the reason the tool itself gives for asking, where it gives one (measured).
"""

from __future__ import annotations

from collections.abc import Mapping

from toolaudit.model import Behavior, Mode, Outcome, ReasonType, Rule, ToolCall
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request
from toolaudit.rules.names import tool_rules
from toolaudit.tools.pool import BUILT_IN, Need
from toolaudit.tools.schema import SCHEMAS

APPROVAL = "it needs approval"


def judge(request: Request) -> Judgement:
    """The check of a tool that is judged by its name and its raw input alone."""
    tool = request.call.tool
    if tool.startswith("mcp__"):
        return _mcp(request)
    need = BUILT_IN[tool].need if tool in BUILT_IN else Need.APPROVAL
    if need is Need.PERSON:
        if request.hook.behavior is Behavior.ALLOW and request.hook.rewrote:
            # Its answers stand in the input it gave; in dontAsk too (documents, 10.4; measured).
            return compose(request, granted="a PreToolUse hook answered it")
        return compose(request, asked=Objection("only a person can answer it", None))
    if need is Need.APPROVAL:
        return compose(request, residue=Objection(APPROVAL, None))
    return compose(request, granted="it needs no permission", classified=need is Need.CLASSIFIER)


def compose(
    request: Request,
    *,
    denied: Objection | None = None,
    asked: Objection | None = None,
    own: Objection | None = None,
    unsafe: Objection | None = None,
    residue: Objection | None = None,
    granted: str = "",
    rule: Rule | None = None,
    classified: bool = False,
    liftable: bool = True,
) -> Judgement:
    """A judgement from what the tool itself says and what rules for the whole tool say.

    `own` is the tool's own reason for asking, if it gives one; `residue` what stands against the call without a rule,
    and `granted` why nothing does; `classified` calls run by themselves only where no classifier is at hand. A residue
    that is not `liftable` stays in spite of an allow rule for the tool.
    """
    denied = find_denied(request) or denied
    allow = tool_rules(request.policy, Behavior.ALLOW, request.call.tool).bare
    if residue is None and classified and request.classifies:
        residue = Objection("the classifier looks at every call of it", ReasonType.CLASSIFIER)
    if residue is not None and allow is not None and liftable:
        residue, granted, rule = None, f"rule {allow.text}", allow
    standing = denied or unsafe or residue
    behavior = Behavior.DENY if denied else Behavior.ALLOW if standing is None else Behavior.ASK
    why, part = (granted, rule) if standing is None else (standing.why, standing.rule)
    return Judgement(
        denied=denied,
        asked=asked or find_asked(request, own),
        unsafe=unsafe,
        residue=residue,
        granted=granted,
        rule=rule,
        outcomes=(Outcome(request.call.tool, behavior, why, part),),
    )


def find_denied(request: Request) -> Objection | None:
    """A deny rule for the whole tool, or for a parameter of the call."""
    rule = _covering(request, Behavior.DENY)
    return None if rule is None else Objection(f"deny rule {rule.text} covers the call", ReasonType.RULE, rule)


def find_asked(request: Request, own: Objection | None) -> Objection | None:
    """An ask rule for the whole tool, or for a parameter of the call, with the tool's `own` reason if it has one."""
    rule = _covering(request, Behavior.ASK)
    if rule is None:
        return None
    kind = ReasonType.RULE if own is None else own.reason_type
    return Objection(f"ask rule {rule.text} covers the call", kind, rule)


def _covering(request: Request, behavior: Behavior) -> Rule | None:
    rules = tool_rules(request.policy, behavior, request.call.tool)
    if rules.bare is not None or rules.fields.isdisjoint(request.call.input):
        return rules.bare
    return rules.find_parameter(_known(request.call))


def _known(call: ToolCall) -> Mapping[str, object]:
    """The call's input without the parameters that its tool drops unread."""
    schema = SCHEMAS.get(call.tool)
    if schema is None or schema.closed:
        return call.input
    return {name: value for name, value in call.input.items() if name in schema.required or name in schema.optional}


def _mcp(request: Request) -> Judgement:
    if request.mode is Mode.PLAN:
        why = "plan mode starts no tool that may change something"
        mode = Objection(why, ReasonType.MODE, classifier_approvable=False, hook_liftable=False)
        return compose(request, residue=mode, liftable=False)
    return compose(request, residue=Objection(APPROVAL, None))
