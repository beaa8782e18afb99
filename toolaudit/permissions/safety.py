from __future__ import annotations

from toolaudit.permissions import prompt
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, passes


def resolve(request: Request) -> Verdict:
    """Safety checks that neither a bare allow rule nor a hook approves: protected paths, deferred execution."""
    objection = request.judgement.unsafe
    if objection is None:
        return passes("no safety check objects")
    return prompt.answer(request, objection)
