"""Stated hook verdicts: what PreToolUse hooks said, given as data instead of run.

Matchers and conditions are those of the settings (documents, 10.1 and 10.2): an empty matcher or `*` means every tool;
one made only of letters, digits, `_`, blank, comma, `|` and `-` lists exact names; any other is a regular expression
that may match anywhere in the name. A condition is one permission rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from toolaudit.model import Behavior, Scope, Source, ToolCall
from toolaudit.patterns import late
from toolaudit.permissions.bash import conditions
from toolaudit.permissions.hook_words import Heard, Said, join, read
from toolaudit.rules import grammar
from toolaudit.rules.commands import compile_specifier
from toolaudit.structs import replace

_EXACT_NAMES = late(r"[A-Za-z0-9_ ,|-]*")
_SEPARATORS = late(r"[|,]")
_NESTED_QUANTIFIER = late(r"[*+}]\)?[*+{]")
_MAX_MATCHER = 500


def hear(hooks: Iterable[Mapping[str, Any]], call: ToolCall, event: str = "PreToolUse") -> Heard:
    """What the stated `hooks` of `event` that cover `call` say together."""
    return join(_said(hook, event) for hook in hooks if _speaks(hook, event, call))


def _speaks(hook: Mapping[str, Any], event: str, call: ToolCall) -> bool:
    condition = hook.get("if")
    return hook.get("event", "PreToolUse") == event and covers(
        str(hook.get("matcher") or ""), None if condition is None else str(condition), call
    )


def covers(matcher: str, condition: str | None, call: ToolCall) -> bool:
    """Whether a hook with this matcher and this `if` rule runs for `call`."""
    return matches(matcher, call.tool) and (condition is None or holds(condition, call))


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
    """Whether the `if` rule of a hook covers `call`; it does where the client can't tell (documents, 10.2)."""
    rule = grammar.parse(condition, Behavior.DENY, Source(Scope.FLAG), root="/")
    if not grammar.governs(rule, call.tool):
        return False
    if rule.specifier is None:
        return True
    command = call.input.get("command")
    if call.tool != "Bash" or not isinstance(command, str):
        return True
    return conditions.holds(compile_specifier(rule.specifier), command)


def _said(hook: Mapping[str, Any], event: str) -> Said:
    output: Mapping[str, Any] = hook.get("json") or {}
    if "decision" in hook:
        output = {**output, "hookSpecificOutput": {"permissionDecision": hook["decision"]}}
    said = read(event, hook.get("exit_code") or 0, output)
    updated = hook.get("updated_input")
    return replace(said, updated_input=updated) if isinstance(updated, Mapping) else said
