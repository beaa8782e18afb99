"""A rule that no command can match, whatever it is.

Commands are compared with their blanks collapsed. A prefix such as `lsof -i :*` ends in two blanks that no command
has, and `Bash(:*)` begins with one. Proved, not guessed: the set of commands that the rule covers is empty.

Say what comes before the star: `Bash(lsof -i *)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Severity

ID = "TA011"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, _ in audit.commands():
        if audit.witness([rule]) is None:
            yield about(
                rule, ID, SEVERITY, "{} covers no command at all", "take the blank before :* away, or name a command"
            )
