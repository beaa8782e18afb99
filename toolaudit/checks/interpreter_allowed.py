"""An allow rule for an interpreter with free arguments.

`-c`, `-e` or a script file makes an interpreter run any program and read or write any file, past every other rule.
Auto mode sets the rule aside (measured). Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA033"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "interpreter"):
        yield about(rule, ID, SEVERITY, "{} runs any code", HELP, witness=command)
