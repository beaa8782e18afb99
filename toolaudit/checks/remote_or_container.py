"""An allow rule that runs commands elsewhere: over ssh, in a container, in a cluster.

What runs there is held against no rule here, and a container may mount the whole disk.
Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA037"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "remote or container"):
        yield about(rule, ID, SEVERITY, "{} runs commands where no rule looks", HELP, witness=command)
