from __future__ import annotations

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """bypassPermissions allows whatever the links before did not settle; a hook's ask still prompts (measured)."""
    if request.hook.behavior is Behavior.ASK:
        return Verdict(Behavior.ASK, request.hook.why or "a PreToolUse hook asks", ReasonType.HOOK)
    if request.mode is Mode.BYPASS:
        return Verdict(Behavior.ALLOW, "mode bypassPermissions")
    return passes(f"mode {request.mode} does not allow by itself")
