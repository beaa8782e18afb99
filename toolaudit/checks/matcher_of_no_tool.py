"""A hook's matcher that is the beginning of a name.

A matcher of letters and underscores alone is an exact name. `mcp__` and `mcp__github` are the names of no tool.

Write `mcp__github__.*`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity
from toolaudit.settings.errors import quote

ID = "TA093"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for hook in audit.policy.hooks:
        for name in hook.matcher.split("|"):
            if name.startswith("mcp__") and name.replace("_", "").replace("-", "").isalnum() and "__" not in name[5:]:
                message = f"the matcher {quote(name)} is the name of no tool"
                yield at(hook.source, ID, SEVERITY, message, f"write {name.rstrip('_')}__.*")
