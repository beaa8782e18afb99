"""What of a policy is no rule: its mode, directories, hooks, sandbox and switches, compared between two policies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toolaudit.model import Hook, Mode, Policy, Sandbox, ToolCall
from toolaudit.settings.hooks import DECIDING


class Direction(StrEnum):
    """What a difference does to what is let through."""

    STRICTER = "stricter"
    LOOSER = "looser"
    EITHER = "stricter or looser"
    """That can't be told without running it: a hook, prose for a classifier."""
    NEITHER = "neither"
    """It decides nothing."""


@dataclass(frozen=True, slots=True)
class Circumstance:
    """One difference."""

    what: str
    old: str
    new: str
    direction: Direction


_OPENNESS = {
    Mode.DONT_ASK: 0,
    Mode.PLAN: 1,
    Mode.DEFAULT: 2,
    Mode.ACCEPT_EDITS: 3,
    Mode.AUTO: 4,
    Mode.BYPASS: 5,
}
"""How much a mode lets through without a person."""

SWITCHES = {
    "bypass_disabled": Direction.STRICTER,
    "auto_disabled": Direction.STRICTER,
    "block_reads_outside": Direction.STRICTER,
    "block_writes_outside": Direction.STRICTER,
    "deny_instead_of_prompting": Direction.STRICTER,
    "auto_during_plan": Direction.LOOSER,
    "all_project_mcp_servers": Direction.LOOSER,
}
"""Field of a policy -> what turning it on does."""

_SANDBOX = {
    "enabled": Direction.EITHER,
    "auto_allow": Direction.LOOSER,
    "allow_unsandboxed": Direction.LOOSER,
    "fail_if_unavailable": Direction.STRICTER,
    "excluded_commands": Direction.LOOSER,
    "allow_write": Direction.LOOSER,
    "deny_write": Direction.STRICTER,
    "deny_read": Direction.STRICTER,
    "allow_read": Direction.LOOSER,
    "allowed_domains": Direction.LOOSER,
    "denied_domains": Direction.STRICTER,
}
"""Field of the sandbox -> what more of it does."""

_OPPOSITE = {Direction.STRICTER: Direction.LOOSER, Direction.LOOSER: Direction.STRICTER}


def compare(old: Policy, new: Policy, old_mode: Mode, new_mode: Mode) -> Iterator[Circumstance]:
    """The differences that are no rules."""
    if old_mode is not new_mode:
        direction = Direction.LOOSER if _OPENNESS[new_mode] > _OPENNESS[old_mode] else Direction.STRICTER
        yield Circumstance("mode", old_mode, new_mode, direction)
    yield from _sets("additional directories", _paths(old), _paths(new), Direction.LOOSER)
    yield from _hooks(old.hooks, new.hooks)
    yield from _fields("sandbox.", old.sandbox, new.sandbox, _SANDBOX)
    yield from _fields("", old, new, SWITCHES)
    if old.auto != new.auto:
        yield Circumstance("autoMode", "prose", "other prose", Direction.EITHER)


def calls(old: Policy, new: Policy) -> Iterator[ToolCall]:
    """Plain calls that show what modes, directories and switches do; the rules have witnesses of their own."""
    if old.mode is not new.mode or any(getattr(old, name) != getattr(new, name) for name in SWITCHES):
        yield from PLAIN
    for path in sorted(_paths(old) ^ _paths(new)):
        yield ToolCall("Read", {"file_path": f"{path.rstrip('/')}/x"})
        yield ToolCall("Edit", {"file_path": f"{path.rstrip('/')}/x", "old_string": "x", "new_string": "y"})
    if old.sandbox != new.sandbox:
        yield ToolCall("Bash", {"command": "x"})


PLAIN = (
    ToolCall("Bash", {"command": "x"}),
    ToolCall("Bash", {"command": "mkdir x"}),
    ToolCall("Edit", {"file_path": "x", "old_string": "x", "new_string": "y"}),
    ToolCall("Edit", {"file_path": "/srv/x", "old_string": "x", "new_string": "y"}),
    ToolCall("Read", {"file_path": "/srv/x"}),
    ToolCall("WebFetch", {"url": "https://host.example/", "prompt": "x"}),
    ToolCall("mcp__x__x", {}),
)
"""Calls that modes decide differently."""


def _paths(policy: Policy) -> set[str]:
    return {directory.path for directory in policy.directories}


def _hooks(old: Iterable[Hook], new: Iterable[Hook]) -> Iterator[Circumstance]:
    before, after = ({_hook(hook): hook for hook in hooks} for hooks in (old, new))
    for key, hook in before.items():
        if key not in after:
            direction = Direction.LOOSER if hook.event in DECIDING else Direction.NEITHER
            yield Circumstance(f"hook of {hook.event}", _shown(hook), "none", direction)
    for key, hook in after.items():
        if key not in before:
            # A PermissionRequest hook may approve in a person's place, and PreToolUse may too.
            direction = Direction.EITHER if hook.event in DECIDING else Direction.NEITHER
            yield Circumstance(f"hook of {hook.event}", "none", _shown(hook), direction)


def _hook(hook: Hook) -> tuple[object, ...]:
    return hook.event, hook.matcher, hook.condition, hook.command, hook.type


def _shown(hook: Hook) -> str:
    return f"{hook.matcher or '*'}: {hook.command}"


def _fields(
    prefix: str, old: Policy | Sandbox, new: Policy | Sandbox, directions: dict[str, Direction]
) -> Iterator[Circumstance]:
    for name, direction in directions.items():
        before: Any = getattr(old, name)
        after: Any = getattr(new, name)
        if isinstance(before, tuple):
            yield from _sets(prefix + name, set(before), set(after), direction)
        elif before != after:
            towards = direction if after else _OPPOSITE.get(direction, direction)
            yield Circumstance(prefix + name, _word(before), _word(after), towards)


def _word(value: object) -> str:
    return "on" if value else "off"


def _sets(what: str, old: set[str], new: set[str], more: Direction) -> Iterator[Circumstance]:
    for gone in sorted(old - new):
        yield Circumstance(what, gone, "none", _OPPOSITE.get(more, more))
    for come in sorted(new - old):
        yield Circumstance(what, "none", come, more)
