"""A whole home, or the whole disk, as a working directory.

What is in a working directory is read without a question, and edited without one in acceptEdits.

Name the directories that are needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity

ID = "TA085"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for directory in audit.policy.directories:
        if directory.path in ("/", audit.workspace.home, "/home", "/Users", "/root") or directory.path.count("/") < 2:
            message = f"{directory.path} is a working directory as a whole"
            yield at(directory.source, ID, SEVERITY, message, "name the directories that are needed")
