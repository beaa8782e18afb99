"""An allow rule for a runner that fetches packages and runs them.

`npx`, `uvx`, `pipx run` and their like download code by name and run it, without a lock file or a review.
Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA035"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "package runner"):
        yield about(rule, ID, SEVERITY, "{} fetches and runs any package", HELP, witness=command)
