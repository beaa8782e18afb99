from __future__ import annotations

from toolaudit.model import Behavior, ReasonType
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """A hook's deny is final, before any rule. Its allow and its ask wait for later links (documents, 10; measured)."""
    hook = request.hook
    if hook.behavior is Behavior.DENY:
        return Verdict(Behavior.DENY, hook.why or "a PreToolUse hook denied the call", ReasonType.HOOK)
    if hook.behavior is None:
        return passes("no PreToolUse hook spoke")
    return passes(f"a PreToolUse hook said {hook.behavior}, which waits for the rules")
