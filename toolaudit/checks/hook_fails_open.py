"""A guard that says yes when it breaks.

`|| true` and `; exit 0` turn every failure of the hook into silence, and `async` makes its answer come too late.
PreToolUse blocks on exit code 2 or a JSON denial only.

Let the hook fail with exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.checks.hook_entries import hook_entries
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late
from toolaudit.settings.hooks import DECIDING

ID = "TA097"
SEVERITY = Severity.WARNING

_SILENCED: Final = late(r"(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^|;&]*)\s*\Z")


def find(audit: Audit) -> Iterator[Finding]:
    for document, event, index, number, hook in hook_entries(audit):
        command = hook.get("command")
        if event not in DECIDING or not isinstance(command, str):
            continue
        late_answer = hook.get("async") is True or hook.get("asyncRewake") is True
        if late_answer or _SILENCED.search(command):
            what = "answers too late" if late_answer else "turns its failures into silence"
            where = document.source("hooks", event, index, "hooks", number)
            yield at(where, ID, SEVERITY, f"a hook of {event} {what}", "let it fail with exit code 2")
