from __future__ import annotations

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes, settles


def resolve(request: Request) -> Verdict:
    """A critical removal: no rule, hook, mode or classifier approves it (documents, 8.3; measured)."""
    objection = request.judgement.critical
    if objection is None:
        return passes("no critical removal")
    if request.mode is Mode.DONT_ASK:
        return Verdict(Behavior.DENY, f"mode dontAsk denies what would prompt: {objection.why}", ReasonType.MODE)
    if request.mode in (Mode.AUTO, Mode.PLAN):
        return settles(Behavior.DENY, objection)
    return settles(Behavior.ASK, objection)
