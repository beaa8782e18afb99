"""A Windows path in a path rule.

Rules compare paths with slashes, and a drive is written `//c/...`. `C:\\Users\\...` and `C:/Users/...` name no path
that any call has on Linux or macOS, and what they match on Windows is not documented.

Write `//c/Users/...`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.single_slash import PATH_TOOLS
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA007"
SEVERITY = Severity.WARNING

_DRIVE: Final = late(r"/?/?[A-Za-z]:(?:[\\/]|\Z)")


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        path = rule.specifier or ""
        if rule.tool in PATH_TOOLS and _DRIVE.match(path):
            drive, _, rest = path.lstrip("/").partition(":")
            meant = f"//{drive.lower()}/" + rest.replace("\\", "/").lstrip("/")
            yield about(rule, ID, SEVERITY, "{} names a drive the Windows way", f"write {rule.tool}({meant})")
