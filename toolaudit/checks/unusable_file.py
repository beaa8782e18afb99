"""A settings file that the client drops.

One comment, one trailing comma, one value of a wrong type costs the whole file: allow, ask and deny rules, hooks and
modes together, and without a terminal the client says nothing. The position is where the reader stumbled.

Correct the place that is named.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Scope, Severity, Source

ID = "TA080"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for fault in audit.faults:
        yield Finding(
            ID, SEVERITY, fault.message, fault.help, Source(Scope.PROJECT, fault.file, fault.line, fault.column)
        )
