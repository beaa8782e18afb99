"""A key that the client does not know.

It ignores the key without a word. A slip of the pen (`defaultmode`), a key in the wrong section (`allowedTools` at the
top) and a key of another version look the same to it; where a known key is close, it is named.

Correct the name or the place.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity
from toolaudit.structs import replace

ID = "TA081"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for finding in audit.policy.findings:
        if finding.id in ("unknown-key",):
            yield replace(finding, id=ID)
