"""A hook's time-out that looks like milliseconds.

The unit is seconds. 5000 of them are an hour and twenty minutes, in which the session waits.

Write seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.checks.hook_entries import hook_entries
from toolaudit.model import Finding, Severity

ID = "TA094"
SEVERITY = Severity.NOTE

LONGEST: Final = 900
"""Seconds that a hook may take in earnest."""


def find(audit: Audit) -> Iterator[Finding]:
    for document, event, index, number, hook in hook_entries(audit):
        timeout = hook.get("timeout")
        if isinstance(timeout, int | float) and timeout > LONGEST:
            where = document.source("hooks", event, index, "hooks", number)
            message = f"a hook of {event} may take {timeout:,.0f} seconds"
            yield at(where, ID, SEVERITY, message, "the unit is seconds")
