"""A value in `env` that is no string.

Environment variables are strings. What the client makes of `true` or `1` is not documented.

Put it in quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity

ID = "TA087"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        settings = document.value.get("env")
        for name, value in settings.items() if isinstance(settings, dict) else ():
            if not isinstance(value, str):
                yield at(document.source("env", name), ID, SEVERITY, f"env.{name} is no string", "put it in quotes")
