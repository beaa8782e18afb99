"""Stated hook verdicts: what PreToolUse hooks said, given as data instead of run.

Matchers and conditions are those of the settings (documents, 10.1 and 10.2): an empty matcher or `*` means every tool;
one made only of letters, digits, `_`, blank, comma, `|` and `-` lists exact names; any other is a regular expression
that may match anywhere in the name. A condition is one permission rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from toolaudit.model import Behavior, Scope, Source, ToolCall
from toolaudit.patterns import late
from toolaudit.permissions.bash.matching import CommandRules
from toolaudit.permissions.bash.spellings import deny_texts
from toolaudit.permissions.request import HookVerdict
from toolaudit.rules import grammar
from toolaudit.shell import read

_EXACT_NAMES = late(r"[A-Za-z0-9_ ,|-]*")
_SEPARATORS = late(r"[|,]")
_NESTED_QUANTIFIER = late(r"[*+}]\)?[*+{]")
_MAX_MATCHER = 500
_STRICTEST = (Behavior.DENY, Behavior.ASK, Behavior.ALLOW)


class Heard(Struct, frozen=True):
    """All that the hooks of one call said: their joint verdict, and the call as they rewrote it."""

    verdict: HookVerdict
    call: ToolCall


def hear(hooks: Iterable[Mapping[str, Any]], call: ToolCall) -> Heard:
    """The joint verdict of the stated PreToolUse `hooks` that match `call`; the strictest counts (documents, 10)."""
    said: dict[Behavior, str] = {}
    for hook in hooks:
        if hook.get("event", "PreToolUse") != "PreToolUse" or not matches(str(hook.get("matcher") or ""), call.tool):
            continue
        condition = hook.get("if")
        if condition is not None and not holds(str(condition), call):
            continue
        behavior, why = _said(hook)
        if behavior is not None:
            said.setdefault(behavior, why)
        if isinstance(hook.get("updated_input"), Mapping):
            call = ToolCall(call.tool, hook["updated_input"], call.id)
    behavior = next((behavior for behavior in _STRICTEST if behavior in said), None)
    return Heard(HookVerdict(behavior, said[behavior] if behavior is not None else ""), call)


def matches(matcher: str, tool: str) -> bool:
    """Whether a hook's `matcher` covers `tool`. A matcher that is no safe regular expression covers every tool."""
    if matcher in ("", "*"):
        return True
    if _EXACT_NAMES.fullmatch(matcher):
        return tool in {name.strip() for name in _SEPARATORS.split(matcher)}
    if len(matcher) > _MAX_MATCHER or _NESTED_QUANTIFIER.search(matcher):
        return True
    try:
        return re.search(matcher, tool) is not None
    except re.error:
        return True


def holds(condition: str, call: ToolCall) -> bool:
    """Whether the `if` rule of a hook covers `call`; for a command that can't be read it does (documents, 10.2)."""
    rule = grammar.parse(condition, Behavior.DENY, Source(Scope.FLAG), root="/")
    if not grammar.governs(rule, call.tool):
        return False
    if rule.specifier is None:
        return True
    command = call.input.get("command")
    if call.tool != "Bash" or not isinstance(command, str):
        return True
    reading = read(command)
    rules = CommandRules([rule])
    return reading.complexity is not None or any(
        rules.match(deny_texts(simple)) is not None for simple in reading.commands if simple.argv
    )


def _said(hook: Mapping[str, Any]) -> tuple[Behavior | None, str]:
    if hook.get("exit_code") == 2:
        return Behavior.DENY, "a PreToolUse hook exited with code 2"
    if hook.get("exit_code"):
        return None, ""
    output = (hook.get("json") or {}).get("hookSpecificOutput") or {}
    word = output.get("permissionDecision", hook.get("decision"))
    if word in ("allow", "ask", "deny"):
        return Behavior(word), f"a PreToolUse hook said {word}"
    if (hook.get("json") or {}).get("decision") == "block" or (hook.get("json") or {}).get("continue") is False:
        return Behavior.DENY, "a PreToolUse hook blocked the call"
    return None, ""
