"""Sessions start without any permission check.

`bypassPermissions` runs everything that no deny or ask rule stops. As a default it holds for sessions that nobody had
in mind.

Start the sessions that need it with `--permission-mode bypassPermissions`, in a container.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Mode, Severity
from toolaudit.settings.scopes import get

ID = "TA084"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        if get(document, "permissions", "defaultMode") == Mode.BYPASS:
            where = document.source("permissions", "defaultMode")
            yield at(where, ID, SEVERITY, "sessions start in bypassPermissions", "ask for the mode where it is needed")
