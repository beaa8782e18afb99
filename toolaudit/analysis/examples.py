"""Calls that a rule speaks of: candidates from its language, and whether the resolver lets the rule decide them."""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import witness
from toolaudit.analysis.languages import Directories, pattern_of
from toolaudit.model import Behavior, Mode, Policy, Rule, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.pipeline import decide
from toolaudit.structs import replace

_FILLINGS = ("", "x", "x y", "-x", "./x", "origin main")
"""What may stand where a rule for commands has a star."""


def calls(rule: Rule, directories: Directories) -> Iterator[ToolCall]:
    """Calls that `rule` covers, the shortest first; none where it covers none."""
    seen: set[str] = set()
    pattern = pattern_of(rule)
    if pattern is not None:
        for filling in _FILLINGS if not pattern.exact else ("",):
            text = filling.join(pattern.parts).strip()
            if text and text not in seen:
                seen.add(text)
                yield ToolCall(rule.tool, {"command": text})
    try:
        found = witness((rule,), (), directories)
    except UndecidedError:
        return
    if found is not None and found.text not in seen:
        yield found.call


def decides(call: ToolCall, rule: Rule, policy: Policy, mode: Mode, workspace: Workspace) -> bool:
    """Whether `rule` is what settles `call`, or a part of it, the way the rule says."""
    decision = decide(call, policy, mode, workspace)
    behavior = decision.behavior if decision.behavior is not Behavior.REMOVED else Behavior.DENY
    by = (decision.rule, *(outcome.rule for outcome in decision.subcommands))
    return behavior is rule.behavior and any(one is not None and one == rule for one in by)


def decides_alone(rule: Rule, workspace: Workspace, directories: Directories | None = None) -> bool:
    """Whether some call is settled by `rule` where it is the only one."""
    policy = Policy(rules=(rule,))
    places = directories or Directories(workspace.cwd, workspace.home)
    return any(decides(call, rule, policy, Mode.DEFAULT, workspace) for call in calls(rule, places))


def without(policy: Policy, rule: Rule) -> Policy:
    """`policy` as it would be if `rule` were not written."""
    return replace_rules(policy, tuple(one for one in policy.rules if one is not rule))


def replace_rules(policy: Policy, rules: tuple[Rule, ...]) -> Policy:
    """`policy` with these rules in force, everything else as it was."""
    return replace(policy, rules=rules)
