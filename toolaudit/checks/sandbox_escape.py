"""A sandbox whose door is open.

With `allowUnsandboxedCommands` a model may ask for a command to run outside; that is the default. In a session where
prompts are answered quickly, the sandbox is then a suggestion.

Set `sandbox.allowUnsandboxedCommands` to false.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity
from toolaudit.settings.scopes import get

ID = "TA089"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    if not (audit.policy.sandbox.enabled and audit.policy.sandbox.allow_unsandboxed):
        return
    for document in audit.documents:
        if get(document, "sandbox", "enabled") is True:
            where = document.source("sandbox", "enabled")
            help = "set allowUnsandboxedCommands to false"
            yield at(where, ID, SEVERITY, "a command may ask to run outside the sandbox", help)
