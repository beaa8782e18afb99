"""An allow rule for a program with an option that runs another.

`awk`, `tar`, `sort`, `git` and many more start a program when an option or a script tells them to. The command shown
is one that the client allows by this rule; what it asks about by itself is not reported.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA038"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "option"):
        yield about(rule, ID, SEVERITY, "{} starts any program through an option", HELP, witness=command)
