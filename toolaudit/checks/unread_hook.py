"""A hook that the client leaves out.

An event it does not raise, a `command` on the group instead of in its `hooks`, a missing key: the entry is passed over
and nothing runs.

Correct the entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity
from toolaudit.structs import replace

ID = "TA091"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for finding in audit.policy.findings:
        if finding.id in ("hook-ignored",):
            yield replace(finding, id=ID)
