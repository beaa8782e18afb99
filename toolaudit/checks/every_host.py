"""Every host may be fetched from.

`WebFetch(domain:*)` and the bare `WebFetch` in an allow list let a model fetch any page, and send data in its address.
Silent where a deny or ask rule covers every host.

Name the hosts.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity, ToolCall
from toolaudit.pipeline import decide

ID = "TA086"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    call = ToolCall("WebFetch", {"url": "https://host.example/x", "prompt": "x"})
    decision = decide(call, audit.policy, audit.mode, audit.workspace)
    if decision.behavior is Behavior.ALLOW and decision.rule is not None:
        yield about(decision.rule, ID, SEVERITY, "{} allows fetching from every host", "name the hosts")
