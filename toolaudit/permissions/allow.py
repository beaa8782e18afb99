from __future__ import annotations

from toolaudit.model import Behavior
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """Allow rules, a hook's allow, and what needs no permission in this mode."""
    judgement = request.judgement
    if judgement.residue is None:
        return Verdict(Behavior.ALLOW, judgement.granted, rule=judgement.rule)
    if request.hook.behavior is Behavior.ALLOW and judgement.residue.hook_liftable:
        return Verdict(Behavior.ALLOW, request.hook.why or "a PreToolUse hook allows it")
    return passes(judgement.residue.why)
