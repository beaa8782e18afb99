"""A Windows path that lost its backslashes on the way.

`C:toolsnssm.exe` was `C:\\tools\\nssm.exe`. The rule matches nothing that anybody will type.

Write the path with slashes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA055"
SEVERITY = Severity.WARNING

_LOST: Final = late(r"(?<![\w/])[A-Z]:[A-Za-z]\w{4,}")


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands():
        if _LOST.search(specifier):
            yield about(rule, ID, SEVERITY, "{} holds a path without its backslashes", "write the path with slashes")
