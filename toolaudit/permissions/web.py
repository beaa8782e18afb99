"""The check of WebFetch: by the host of the URL (documents, 5.1; measured)."""

from __future__ import annotations

from functools import lru_cache

from toolaudit.model import Behavior, Policy, ReasonType
from toolaudit.permissions import general
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request
from toolaudit.rules.domains import DomainRules
from toolaudit.rules.names import tool_rules
from toolaudit.rules.urls import parse
from toolaudit.tools.preapproved import preapproved


def judge(request: Request) -> Judgement:
    """Domain rules decide before the preapproved hosts do, and deny before ask before allow."""
    url = parse(str(request.call.input.get("url", "")))
    if url is None:
        own = Objection("the URL can't be read", None)
        return general.compose(request, own=own, residue=own)
    find = {behavior: _domains(request.policy, behavior).find(url.host) for behavior in Behavior}
    if (rule := find[Behavior.DENY]) is not None:
        denied = Objection(f"deny rule {rule.text} matches {url.host}", ReasonType.RULE, rule)
        return general.compose(request, denied=denied)
    if (rule := find[Behavior.ASK]) is not None:
        asked = Objection(f"ask rule {rule.text} matches {url.host}", ReasonType.RULE, rule)
        return general.compose(request, asked=asked, residue=asked)
    if (rule := find[Behavior.ALLOW]) is not None:
        return general.compose(request, granted=f"rule {rule.text}", rule=rule)
    if preapproved(url):
        return general.compose(request, granted=f"{url.host} is preapproved")
    own = Objection(f"no rule allows fetching from {url.host}", None)
    return general.compose(request, own=own, residue=own)


@lru_cache(maxsize=1024)
def _domains(policy: Policy, behavior: Behavior) -> DomainRules:
    return DomainRules(tool_rules(policy, behavior, "WebFetch").scoped)
