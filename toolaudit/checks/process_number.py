"""The number of a process, saved as a rule.

By the time the rule is used the number belongs to another process.

Remove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.patterns import late

ID = "TA054"
SEVERITY = Severity.NOTE

_KILL: Final = late(r"(?:sudo )?kill(?: -\S+)* \d+\b|.*taskkill\b.*/PID \d+", 2)


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW):
        if _KILL.match(specifier):
            yield about(rule, ID, SEVERITY, "{} names a process that is long gone", "remove it", fix=Fix(rule))
