from __future__ import annotations

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes, settles


def resolve(request: Request) -> Verdict:
    """An ask rule prompts in every mode, bypassPermissions included; dontAsk denies instead (measured)."""
    objection = request.judgement.asked
    if objection is None:
        count = len(request.policy.rules_for(Behavior.ASK))
        return passes(f"none of {count} ask rules matches" if count else "there are no ask rules")
    if request.mode is Mode.DONT_ASK:
        return Verdict(
            Behavior.DENY, f"mode dontAsk denies what would prompt: {objection.why}", ReasonType.MODE, objection.rule
        )
    return settles(Behavior.ASK, objection)
