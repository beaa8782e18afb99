"""A web rule whose specifier is of no form the client knows.

WebFetch rules speak of hosts: `WebFetch(domain:HOST)`. `WebFetch(https://...)` and `WebFetch(HOST)` match nothing.
WebSearch takes no specifier but, in deny and ask lists, a whole `query:TEXT`.

Write `WebFetch(domain:HOST)`, or the bare `WebSearch`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity

ID = "TA015"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, why in audit.reasons.items():
        if rule.tool in ("WebFetch", "WebSearch") and rule.specifier is not None and rule.specifier.strip():
            yield about(rule, ID, SEVERITY, "{} matches nothing", why)
