"""A deny rule that one more argument gets past.

A rule without a star covers one command. `Bash(rm -rf /)` does not cover `rm -rf / --no-preserve-root`, and
`Bash(git push)` does not cover `git push origin`.

End the rule with ` *`, which covers the bare command too.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.rules.commands import compile_specifier

ID = "TA017"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.DENY):
        if not compile_specifier(specifier).exact:
            continue
        longer = f"{specifier.strip()} x"
        if audit.decide(longer).behavior is not Behavior.DENY:
            yield about(
                rule, ID, SEVERITY, "{} stops one spelling only", f"write Bash({specifier.strip()} *)", witness=longer
            )
