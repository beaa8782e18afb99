from __future__ import annotations

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """bypassPermissions allows whatever the links before did not settle; a hook's ask still prompts (measured).

    Where a safety check objects, the client forgets the hook's ask and goes by the mode.
    """
    if request.hook.behavior is Behavior.ASK and request.judgement.unsafe is None:
        return Verdict(Behavior.ASK, request.hook.why or "a PreToolUse hook asks", ReasonType.HOOK)
    if request.mode is Mode.BYPASS:
        return Verdict(Behavior.ALLOW, "mode bypassPermissions")
    return passes(f"mode {request.mode} does not allow by itself")
