"""A key that does not count in this file.

Some keys count in managed settings only, others in no file that a repository may bring. Elsewhere the client ignores
them.

Move the key to a file where it counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity
from toolaudit.structs import replace

ID = "TA082"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for finding in audit.policy.findings:
        if finding.id in ("key-ignored",):
            yield replace(finding, id=ID)
