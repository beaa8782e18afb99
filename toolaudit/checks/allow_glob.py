"""An allow rule with a glob where a tool or a server must be named.

In an allow list a `*` in the name counts only behind a literal server, as in `mcp__github__get_*`. `*`, `mcp__*` and
`Edit*` approve nothing there; in deny and ask lists they work.

Name the tools or the server.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity

ID = "TA003"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.reasons:
        if rule.behavior is Behavior.ALLOW and "*" in rule.tool and "(" not in rule.tool and ":" not in rule.tool:
            yield about(rule, ID, SEVERITY, "{} approves nothing", "name the tool, or the server before the star")
