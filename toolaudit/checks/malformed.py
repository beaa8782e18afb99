"""Text that is no rule.

The client takes any text for the name of a tool and says nothing. A star or a colon outside the parentheses
(`Bash:*`, `Bash(ls)*`), a blank at either end, a missing parenthesis or a wrong capital makes a rule that
never matches.

Write `Tool(specifier)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA013"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, why in audit.reasons.items():
        odd = (
            not _NAME.fullmatch(rule.tool) or rule.tool in ("", "Web") or "case-sensitive" in why or "empty par" in why
        )
        if odd and not rule.tool.startswith("mcp__"):
            yield about(rule, ID, SEVERITY, "{} never matches: " + why, "write Tool(specifier)")


_NAME: Final = late(r"\*?[A-Za-z][\w*-]*|\*")
