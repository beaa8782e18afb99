"""A list of auto mode that throws the built-in entries away.

`autoMode.allow`, `soft_deny`, `hard_deny` and `environment` replace what the product brings, unless the list holds the
word `$defaults`.

Put `"$defaults"` in front.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity

ID = "TA071"
SEVERITY = Severity.WARNING

LISTS: Final = ("allow", "soft_deny", "hard_deny", "environment")


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        section = document.value.get("autoMode")
        for name in LISTS if isinstance(section, dict) else ():
            entries = section.get(name) if isinstance(section, dict) else None
            if isinstance(entries, list) and entries and "$defaults" not in entries:
                where = document.source("autoMode", name)
                yield at(where, ID, SEVERITY, f"autoMode.{name} replaces the built-in entries", 'add "$defaults" to it')
