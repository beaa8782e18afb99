"""The hooks a document configures, and what the client does with one it cannot read.

For the two events whose hooks decide, PreToolUse and PermissionRequest, one bad entry costs the whole file; for every
other event the client leaves the entry out. It runs hooks of every scope, trusted workspace or not (measured).
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.model import Finding, Hook, Severity
from toolaudit.settings.document import Document
from toolaudit.settings.errors import fate, quote
from toolaudit.settings.kinds import BOOLEAN, OBJECT, POSITIVE, STRING, STRINGS, Fields, Kind, ListOf, Word, fault
from toolaudit.settings.parse import describe
from toolaudit.settings.positions import Path

DECIDING = frozenset({"PreToolUse", "PermissionRequest"})

EVENTS = DECIDING | frozenset(
    """
    ConfigChange CwdChanged Elicitation ElicitationResult FileChanged InstructionsLoaded MessageDisplay Notification
    PermissionDenied PostCompact PostModelSwitch PostToolBatch PostToolUse PostToolUseFailure PreCompact PreModelSwitch
    SessionEnd SessionStart Setup Stop StopFailure SubagentStart SubagentStop TaskCompleted TaskCreated TeammateIdle
    UserPromptExpansion UserPromptSubmit WorktreeCreate WorktreeRemove
    """.split()
)
"""The events the client raises (documents, 10); it passes over any other (measured)."""

_COMMON: dict[str, Kind] = {"if": STRING, "timeout": POSITIVE, "statusMessage": STRING, "once": BOOLEAN}

TYPES = {
    "command": Fields(
        {
            **_COMMON,
            "command": STRING,
            "args": STRINGS,
            "async": BOOLEAN,
            "asyncRewake": BOOLEAN,
            "shell": Word(("bash", "powershell")),
            "onFailure": STRING,
        },
        required=frozenset({"command"}),
    ),
    "prompt": Fields({**_COMMON, "prompt": STRING, "model": STRING}, required=frozenset({"prompt"})),
    "agent": Fields({**_COMMON, "prompt": STRING, "model": STRING}, required=frozenset({"prompt"})),
    "http": Fields({**_COMMON, "url": STRING, "headers": OBJECT}, required=frozenset({"url"})),
    "mcp_tool": Fields(
        {**_COMMON, "server": STRING, "tool": STRING, "input": OBJECT}, required=frozenset({"server", "tool"})
    ),
}
"""Type of a hook -> its keys (measured)."""

ACTION = {"command": "command", "prompt": "prompt", "agent": "prompt", "http": "url", "mcp_tool": "tool"}
"""Type of a hook -> the key that says what it does."""

GROUPS = ListOf(OBJECT)
GROUP = Fields(
    {"matcher": STRING, "hooks": ListOf(Fields({"type": Word(tuple(TYPES))}, required=frozenset({"type"})))},
    required=frozenset({"hooks"}),
)


def read(document: Document) -> tuple[tuple[Hook, ...], tuple[Finding, ...]]:
    """The hooks of `document`, and what of its hooks the client leaves out.

    Raises SettingsError for what makes it drop the file.
    """
    configured = document.value.get("hooks")
    if configured is None:
        return (), ()
    if not isinstance(configured, dict):
        message = f"expected an object for hooks, got {describe(configured)}"
        return (), (_left_out(document, message, ("hooks",)),)
    hooks: list[Hook] = []
    findings: list[Finding] = []
    for event, groups in configured.items():
        path = ("hooks", event)
        if groups is None:
            continue
        if event not in EVENTS:
            findings.append(_left_out(document, f"unknown hook event {quote(event)}", path))
        elif found := fault(groups, GROUPS, path):
            findings.append(_refuse(document, event, *found))
        else:
            for index, group in enumerate(groups):
                if found := _group_fault(group, (*path, index)):
                    findings.append(_refuse(document, event, *found))
                else:
                    hooks += _group(document, event, group, (*path, index))
    return tuple(hooks), tuple(findings)


def _group_fault(group: object, path: Path) -> tuple[str, Path] | None:
    if found := fault(group, GROUP, path):
        return found
    assert isinstance(group, dict)
    for number, hook in enumerate(group["hooks"]):
        if found := fault(hook, TYPES[hook["type"]], (*path, "hooks", number)):
            return found
    return None


def _group(document: Document, event: str, group: dict[str, object], path: Path) -> Iterator[Hook]:
    entries = group["hooks"]
    assert isinstance(entries, list)
    for number, hook in enumerate(entries):
        kind = hook["type"]
        source = document.source(*path, "hooks", number)
        headers = hook.get("headers") or {}
        yield Hook(
            event,
            str(group.get("matcher", "")),
            hook.get("if"),
            hook[ACTION[kind]],
            source,
            kind,
            seconds=hook.get("timeout"),
            blocks_on_failure=hook.get("onFailure") == "block",
            unheard=hook.get("async") is True,
            arguments=tuple(hook.get("args") or ()),
            headers=tuple((name, value) for name, value in headers.items() if isinstance(value, str)),
        )


def _refuse(document: Document, event: str, message: str, path: Path) -> Finding:
    """The finding about a bad entry; raises SettingsError where it costs the file."""
    if event in DECIDING:
        raise document.error(message, f"{fate(document.scope, readable=True)}; correct the hook", *path)
    return _left_out(document, message, path)


def _left_out(document: Document, message: str, path: Path) -> Finding:
    return Finding("hook-ignored", Severity.WARNING, message, "the client leaves it out", document.source(*path))
