"""A star in a rule that ends in `:*`.

Before a final `:*` a star is only a star (measured): `Bash(git push origin feature/*:*)` waits for a branch that is
called `feature/*`.

Write the end as ` *` instead of `:*`: `Bash(git push origin feature/* *)` or `feature/*`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity

ID = "TA010"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        specifier = rule.specifier or ""
        if rule.tool == "Bash" and specifier.endswith(":*") and "*" in specifier[:-2]:
            meant = f"{rule.tool}({specifier[:-2]})" if specifier[-3] == "*" else f"{rule.tool}({specifier[:-2]} *)"
            yield about(rule, ID, SEVERITY, "{} takes its first star for a star", f"write {meant}")
