"""An allow rule for a program that starts the program it is told.

`env`, `xargs`, `nohup` and their like start whatever stands behind them. A rule for the wrapper grants everything
behind it. Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA034"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "wrapper"):
        yield about(rule, ID, SEVERITY, "{} starts any program", HELP, witness=command)
