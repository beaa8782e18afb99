"""A rule for a tool that former versions had.

The tool is gone or has another name, so the rule does nothing in current versions. `Task` is still read as `Agent`.

Remove the rule, or name the tool that took over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity

ID = "TA005"
SEVERITY = Severity.WARNING

FORMER: Final = {
    "AgentOutputTool": "TaskOutput",
    "BashOutput": "TaskOutput",
    "KillShell": "TaskStop",
    "LS": "",
    "MultiEdit": "Edit",
    "NotebookRead": "Read",
    "TodoRead": "",
}
"""Former tool -> the one that took over, if any (documents, 12)."""


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        if rule.tool in FORMER and rule.specifier is None:
            heir = FORMER[rule.tool]
            help = f"name {heir}, which took over" if heir else "remove the rule"
            yield about(rule, ID, SEVERITY, "{} names a tool that current versions do not have", help)
