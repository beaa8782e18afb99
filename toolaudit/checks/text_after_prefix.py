"""`:*` before the end of a rule.

`:*` means "and anything" only at the very end of a rule for commands. Anywhere else the colon is a colon, so
`Bash(git -C :* status)` waits for a command that has a colon there. A rule for paths that holds `:*` is skipped.

Write a star alone in the middle: `Bash(git -C * status)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.single_slash import PATH_TOOLS
from toolaudit.model import Finding, Severity

ID = "TA009"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        specifier = rule.specifier or ""
        if rule.tool in ("Bash", "PowerShell") and ":*" in specifier.removesuffix(":*"):
            yield about(
                rule, ID, SEVERITY, "{} has a colon in the middle that is only a colon", "write a star alone there"
            )
        elif rule.tool in PATH_TOOLS and ":*" in specifier:
            yield about(
                rule, ID, SEVERITY, "{} is skipped: a path holds no :*", "write ** for what is below a directory"
            )
