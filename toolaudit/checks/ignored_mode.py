"""A `defaultMode` that this file may not set.

A repository cannot start a session in `auto` or `bypassPermissions`: where its word wins, the session starts in the
default mode.

Set the mode in your own settings, or remove it here.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity
from toolaudit.structs import replace

ID = "TA083"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for finding in audit.policy.findings:
        if finding.id in ("mode-ignored",):
            yield replace(finding, id=ID)
