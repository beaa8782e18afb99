from __future__ import annotations

from toolaudit.model import Behavior
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes, settles


def resolve(request: Request) -> Verdict:
    """A deny rule that matches the call or any part of it. Scope and specificity do not matter (documents, 6.2)."""
    objection = request.judgement.denied
    if objection is not None:
        return settles(Behavior.DENY, objection)
    count = len(request.policy.rules_for(Behavior.DENY))
    return passes(f"none of {count} deny rules matches" if count else "there are no deny rules")
