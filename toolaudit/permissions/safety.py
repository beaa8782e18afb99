from __future__ import annotations

from toolaudit.model import Behavior
from toolaudit.permissions import prompt
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """Safety checks that no allow rule approves: protected paths, deferred execution (documents, 7; measured)."""
    objection = request.judgement.unsafe
    if objection is None:
        return passes("no safety check objects")
    if request.hook.behavior is Behavior.ALLOW:
        return passes(f"a PreToolUse hook approved what a safety check objects to: {objection.why}")
    return prompt.answer(request, objection)
