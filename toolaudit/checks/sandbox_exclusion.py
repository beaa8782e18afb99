"""A program that takes its command text out of the sandbox.

Where one part of a text matches `excludedCommands`, the whole text runs outside. Programs that run code of the project
or of a configuration, such as `git`, `docker` or `make`, take everything with them.

Exclude exact commands only.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity
from toolaudit.settings.errors import quote
from toolaudit.settings.scopes import get

ID = "TA090"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        for index, entry in enumerate(get(document, "sandbox", "excludedCommands") or ()):
            where = document.source("sandbox", "excludedCommands", index)
            message = f"a text with {quote(str(entry))} in it runs outside the sandbox as a whole"
            yield at(where, ID, SEVERITY, message, "exclude exact commands only")
