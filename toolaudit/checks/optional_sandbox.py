"""A sandbox that is left out where it cannot start.

Without `failIfUnavailable` the client runs commands unsandboxed on a machine that lacks what the sandbox needs, and a
warning is all there is.

Set `sandbox.failIfUnavailable` to true.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity, Source
from toolaudit.settings.scopes import get

ID = "TA088"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    yield from (
        at(
            where,
            ID,
            SEVERITY,
            "where the sandbox cannot start, commands run without it",
            "set failIfUnavailable to true",
        )
        for where in _enabled(audit)
        if not audit.policy.sandbox.fail_if_unavailable
    )


def _enabled(audit: Audit) -> Iterator[Source]:
    for document in audit.documents:
        if get(document, "sandbox", "enabled") is True:
            yield document.source("sandbox", "enabled")
