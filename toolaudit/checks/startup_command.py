"""A repository that names a command for the client to start.

These keys run a program when a session starts, without any permission check. In a project's settings that is code of
whoever wrote the repository.

Move the key to your own settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Scope, Severity

ID = "TA065"
SEVERITY = Severity.ERROR

KEYS: Final = (
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "fileSuggestion",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "policyHelper",
    "processWrapper",
    "statusLine",
    "subagentStatusLine",
)
"""Keys whose value is a command."""


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        for key in KEYS if document.scope is Scope.PROJECT else ():
            if document.value.get(key):
                message = f"a project's settings make the client start a command: {key}"
                yield at(document.source(key), ID, SEVERITY, message, "look at it, and move it to your own settings")
