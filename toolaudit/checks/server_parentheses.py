"""A rule for a server's tool with parentheses.

The client skips a rule such as `mcp__github__get_issue(*)` in a settings file. The name alone is the whole rule.

Remove the parentheses. `--fix` does so for deny and ask rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity

ID = "TA002"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.reasons:
        if rule.tool.startswith("mcp__") and "(" in rule.text:
            bare = rule.text.partition("(")[0]
            fix = Fix(rule, bare) if rule.behavior is not Behavior.ALLOW else None
            yield about(
                rule, ID, SEVERITY, "{} is skipped: a server's tool takes no parentheses", f"write {bare}", fix=fix
            )
