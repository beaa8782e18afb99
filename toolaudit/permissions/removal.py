from __future__ import annotations

from toolaudit.model import Behavior, Mode
from toolaudit.permissions import blocks, prompt
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes, settles


def resolve(request: Request) -> Verdict:
    """A critical removal: no rule, hook, mode or classifier approves it (documents, 8.3; measured)."""
    objection = request.judgement.critical
    if objection is None:
        return passes("no critical removal")
    unattended = request.mode is Mode.BYPASS and request.policy.deny_instead_of_prompting
    if unattended or (request.classifies and not blocks.loses_patience(request)):
        return settles(Behavior.DENY, objection)
    return prompt.person(request, objection)
