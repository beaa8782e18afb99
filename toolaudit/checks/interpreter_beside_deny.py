"""Deny rules for commands beside an allow rule for an interpreter or a shell.

What a deny rule forbids runs from the interpreter, in whose text no rule looks. One finding for each such allow rule,
with the number of deny rules it makes easy to walk around.

Remove the allow rule, or take the deny rules for reminders and turn the sandbox on.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity

ID = "TA041"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    denied = sum(1 for _ in audit.commands(Behavior.DENY))
    if not denied:
        return
    for kind in ("shell", "interpreter"):
        for rule, command in starters.granted(audit, kind):
            message = f"{denied} deny rules for commands can be walked around through " + "{}"
            yield about(rule, ID, SEVERITY, message, "remove it, or turn the sandbox on", witness=command)
