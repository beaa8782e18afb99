"""An allow rule that runs what the project says.

`npm run`, `make`, `cargo`, `pytest` run code that stands in files a model may edit, so an edit is enough to run
anything. Often wanted; worth knowing. Silent where deny and ask rules leave no command of this kind to try.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA036"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "project code"):
        yield about(rule, ID, SEVERITY, "{} runs code of the project", HELP, witness=command)
