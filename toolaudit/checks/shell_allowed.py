"""An allow rule for a shell, or for a program that becomes another user.

A shell given text runs any program, and none of these programs is looked at by other rules as a deny rule would have
it: a deny rule sees through some wrappers and into no script. Auto mode sets the rule aside (measured).
Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA032"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "shell"):
        yield about(rule, ID, SEVERITY, "{} hands a shell over", HELP, witness=command)
