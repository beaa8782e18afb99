"""A path of one person's home in settings that others share.

`/Users/alice/...` and `/home/alice/...` exist on one machine. For everybody else the rule is dead, and it tells who
wrote it.

Write `~/`, a path from the project, or move the rule to `settings.local.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about, at
from toolaudit.model import Finding, Scope, Severity
from toolaudit.patterns import late

ID = "TA062"
SEVERITY = Severity.NOTE

_HOME: Final = late(r"(?:/home/|/Users/|\b[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}|/mnt/[a-z]/Users/)[A-Za-z0-9_.-]+")


def find(audit: Audit) -> Iterator[Finding]:
    help = "write ~/ or a path from the project, or move it to settings.local.json"
    for rule in audit.written:
        if rule.source.scope in SHARED and _HOME.search(rule.text):
            yield about(rule, ID, SEVERITY, "{} names one person's directory", help)
    for hook in audit.policy.hooks:
        if hook.source.scope in SHARED and _HOME.search(hook.command):
            message = f"a hook of {hook.event} names one person's directory"
            yield at(hook.source, ID, Severity.WARNING, message, "write $CLAUDE_PROJECT_DIR or ~")


SHARED: Final = frozenset({Scope.PROJECT, Scope.MANAGED})
