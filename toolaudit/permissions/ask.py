from __future__ import annotations

from toolaudit.model import Behavior
from toolaudit.permissions import prompt
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """An ask rule prompts in every mode, bypassPermissions included; dontAsk denies instead (measured)."""
    objection = request.judgement.asked
    if objection is None:
        count = len(request.policy.rules_for(Behavior.ASK))
        return passes(f"none of {count} ask rules matches" if count else "there are no ask rules")
    return prompt.person(request, objection)
