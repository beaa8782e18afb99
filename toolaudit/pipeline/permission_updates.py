"""Changes of rules and mode that come with the answer to a prompt, for the rest of the session.

Nothing is written to a settings file. A change that can't be understood changes nothing; the mode bypassPermissions is
entered only from itself (documents, 10.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from toolaudit.model import Behavior, Mode, Rule, Scope, Source
from toolaudit.rules import grammar
from toolaudit.structs import replace

if TYPE_CHECKING:
    from toolaudit.tools.context import PermissionContext


def update(permissions: PermissionContext, updates: Iterable[Mapping[str, Any]]) -> PermissionContext:
    """`permissions` after the updates `setMode` and `addRules`, as PermissionRequest hooks write them."""
    for one in updates:
        if one.get("type") == "setMode":
            permissions = replace(permissions, mode=_mode(one.get("mode"), permissions.mode))
        elif one.get("type") == "addRules":
            added = _rules(one, permissions.workspace.cwd)
            permissions = replace(
                permissions, policy=replace(permissions.policy, rules=(*added, *permissions.policy.rules))
            )
    return permissions


def _mode(name: object, before: Mode) -> Mode:
    try:
        mode = Mode.parse(str(name))
    except ValueError:
        return before
    return before if mode is Mode.BYPASS else mode


def _rules(one: Mapping[str, Any], root: str) -> list[Rule]:
    rules, behavior = one.get("rules"), one.get("behavior")
    if not isinstance(rules, list) or behavior not in ("allow", "ask", "deny"):
        return []
    texts = [_text(rule) for rule in rules if isinstance(rule, Mapping)]
    parsed = [grammar.parse(text, Behavior(behavior), Source(Scope.CLI), root=root) for text in texts if text]
    return [rule for rule in parsed if grammar.dead(rule) is None]


def _text(rule: Mapping[str, Any]) -> str:
    tool, content = rule.get("toolName"), rule.get("ruleContent")
    if not isinstance(tool, str) or not tool:
        return ""
    return f"{tool}({content})" if isinstance(content, str) and content else tool
