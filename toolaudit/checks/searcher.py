"""An allow rule for a searching or watching program that runs another.

`find -exec`, `fd -x` and `watch` start programs. The client asks about some of these whatever the rule says; reported
is only a command that it allows.

Name the exact commands that are needed, one rule for each.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.starters import HELP
from toolaudit.model import Finding, Severity

ID = "TA039"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    for rule, command in starters.granted(audit, "searcher"):
        yield about(rule, ID, SEVERITY, "{} starts any program it is given", HELP, witness=command)
