"""The checks of the tools that start other work: Agent, Skill, Workflow, Monitor and EnterWorktree (measured)."""

from __future__ import annotations

from toolaudit.model import Behavior, ReasonType, Rule, ToolCall
from toolaudit.permissions import general
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request
from toolaudit.rules.names import tool_rules
from toolaudit.structs import replace
from toolaudit.tools.skills import find_skill

DEFAULT_AGENT = "general-purpose"
"""The type of an agent when the call names none."""


def judge_agent(request: Request) -> Judgement:
    """A deny rule may name the type of agent; ask and allow rules with a type have no effect.

    In modes with a classifier no allow rule lets an agent start.
    """
    kind = request.call.input.get("subagent_type") or DEFAULT_AGENT
    scoped = tool_rules(request.policy, Behavior.DENY, "Agent").scoped
    rule = next((rule for rule in scoped if rule.specifier == kind), None)
    denied = None if rule is None else Objection(f"deny rule {rule.text} rules out agents of type {kind}", None, rule)
    return general.compose(request, denied=denied, granted="it needs no permission", classified=True, liftable=False)


def judge_skill(request: Request) -> Judgement:
    """A skill runs by itself unless it brings hooks or tools of its own; deny and allow rules may name it."""
    name = str(request.call.input.get("skill", "")).removeprefix("/")
    rule = _naming(request, Behavior.DENY, name)
    if rule is None:
        # Only deny rules see the parameter without its slash (measured).
        rule = tool_rules(request.policy, Behavior.DENY, "Skill").find({"skill": name})
    if rule is not None:
        denied = Objection(f"deny rule {rule.text} covers the skill", ReasonType.RULE, rule)
        return general.compose(request, denied=denied)
    if (rule := _naming(request, Behavior.ALLOW, name)) is not None:
        return general.compose(request, granted=f"rule {rule.text}", rule=rule)
    skill = find_skill(name, request.workspace)
    if skill is not None and skill.harmless:
        return general.compose(request, granted="the skill brings neither hooks nor tools")
    if skill is None:
        own = Objection("what the skill brings is not known", None)
    elif skill.hooks:
        own = Objection("the skill brings hooks", ReasonType.OTHER)
    else:
        own = Objection("the skill brings tools or settings of its own", None)
    return general.compose(request, own=own, residue=own)


def _naming(request: Request, behavior: Behavior, name: str) -> Rule | None:
    rules = tool_rules(request.policy, behavior, "Skill").scoped
    return next((rule for rule in rules if _names(rule.specifier or "", name)), None)


def _names(specifier: str, name: str) -> bool:
    specifier = specifier.removeprefix("/")
    if specifier.endswith((" *", ":*")):
        return name.startswith(specifier[:-2])
    return name == specifier


def judge_workflow(request: Request) -> Judgement:
    """A workflow asks for itself, and a rule for the whole tool allows it."""
    own = Objection("a workflow needs approval", None)
    return general.compose(request, own=own, residue=own)


def judge_monitor(request: Request) -> Judgement:
    """What a monitor runs is judged like a Bash command; rules for Monitor itself come on top."""
    from toolaudit.permissions import bash

    command = str(request.call.input.get("command", ""))
    inner = bash.judge(replace(request, call=ToolCall("Bash", {"command": command}, request.call.id)))
    standing = inner.critical or inner.unsafe or inner.residue
    denied = general.find_denied(request) or inner.denied
    asked = general.find_asked(request, standing) or inner.asked
    return replace(inner, denied=denied, asked=asked)


def judge_worktree(request: Request) -> Judgement:
    """Entering a worktree by its path moves the directories that permissions go by, so a person must agree."""
    path = request.call.input.get("path")
    if not path:
        return general.compose(request, granted="it needs no permission")
    why = f"{path} would become the root that permissions go by"
    objection = Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=False)
    return general.compose(request, own=objection, unsafe=objection, granted="it needs no permission")
