"""Rules of a list that is not in force as a whole.

Allow rules of a project wait until its workspace is trusted; where managed settings allow managed rules only, those of
every other file are set aside.

Nothing need change; know that the list does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity
from toolaudit.structs import replace

ID = "TA099"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    for finding in audit.policy.findings:
        if finding.id in ("rules-ignored",):
            yield replace(finding, id=ID)
