from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from toolaudit.model import Finding, Hook, Severity
from toolaudit.settings.document import Document
from toolaudit.settings.errors import fate, quote
from toolaudit.settings.parse import describe

T = TypeVar("T")

EVENTS = frozenset(
    """
    ConfigChange CwdChanged Elicitation ElicitationResult FileChanged InstructionsLoaded MessageDisplay Notification
    PermissionDenied PermissionRequest PostCompact PostModelSwitch PostToolBatch PostToolUse PostToolUseFailure
    PreCompact PreModelSwitch PreToolUse SessionEnd SessionStart Setup Stop StopFailure SubagentStart SubagentStop
    TaskCompleted TaskCreated TeammateIdle UserPromptExpansion UserPromptSubmit WorktreeCreate WorktreeRemove
    """.split()
)
"""The events the client raises (documents, 10)."""

ACTION = {"command": "command", "prompt": "prompt", "agent": "prompt", "http": "url", "mcp_tool": "tool"}
"""Type of a hook -> the key that says what it does."""


def read(document: Document) -> tuple[tuple[Hook, ...], tuple[Finding, ...]]:
    """The hooks that `document` configures, and what is odd about them.

    Raises SettingsError where the client would drop the file: a group without its list of hooks, a hook of an unknown
    type, a value of the wrong type in either (measured).
    """
    value = document.value.get("hooks")
    if value is None:
        return (), ()
    if not isinstance(value, dict):
        return (), (_odd(document, f"expected an object for hooks, got {describe(value)}", "hooks"),)
    hooks: list[Hook] = []
    findings: list[Finding] = []
    for event, groups in value.items():
        if event not in EVENTS:
            findings.append(_odd(document, f"unknown hook event {quote(event)}", "hooks", event))
        else:
            hooks += _event(document, event, groups)
    return tuple(hooks), tuple(findings)


def _event(document: Document, event: str, groups: object) -> Iterator[Hook]:
    def typed(value: object, kind: type[T], expected: str, *path: str | int) -> T:
        if not isinstance(value, kind):
            message = f"expected {expected}, got {describe(value)}"
            raise document.error(
                message, f"{fate(document.scope, readable=True)}; correct the hook", "hooks", event, *path
            )
        return value

    for index, item in enumerate(typed(groups, list, "a list of matcher groups")):
        group = typed(item, dict, "an object with the keys matcher and hooks", index)
        matcher = typed(group.get("matcher", ""), str, "a string for matcher", index, "matcher")
        for number, entry in enumerate(typed(group.get("hooks"), list, "a list for the key hooks", index, "hooks")):
            path = (index, "hooks", number)
            hook = typed(entry, dict, "an object", *path)
            kind = typed(hook.get("type"), str, "a string for type", *path, "type")
            if kind not in ACTION:
                words = ", ".join(ACTION)
                message = f"expected one of {words} for the type of a hook, got {quote(kind)}"
                raise document.error(
                    message, f"{fate(document.scope, readable=True)}; correct the hook", "hooks", event, *path, "type"
                )
            action = typed(hook.get(ACTION[kind]), str, f"a string for {ACTION[kind]}", *path)
            condition = typed(hook["if"], str, "a string for if", *path, "if") if "if" in hook else None
            yield Hook(event, matcher, condition, action, document.source("hooks", event, *path), kind)


def _odd(document: Document, message: str, *path: str | int) -> Finding:
    return Finding(
        "hook-ignored", Severity.WARNING, message, "the client registers no hook for it", document.source(*path)
    )
