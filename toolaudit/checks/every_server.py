"""Every server of a repository's `.mcp.json` is approved unseen.

`enableAllProjectMcpServers` approves the servers that are there today and those that the next commit adds. A server is
a program that starts with the session.

List the ones you know in `enabledMcpjsonServers`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Scope, Severity

ID = "TA064"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        if document.value.get("enableAllProjectMcpServers") is True:
            where = document.source("enableAllProjectMcpServers")
            severity = Severity.ERROR if document.scope is Scope.PROJECT else SEVERITY
            help = "list the servers in enabledMcpjsonServers"
            yield at(where, ID, severity, "every server of every .mcp.json is approved unseen", help)
