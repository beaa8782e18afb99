"""An allow rule that auto mode sets aside.

In auto mode, and in plan mode where its classifier answers, rules that would let a model start any program do not
count (measured): the classifier is asked instead.

Nothing need change. If the rule is there to save a question in auto mode, it does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.permissions.bash.suspended import suspended

ID = "TA070"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW):
        if suspended(specifier):
            yield about(rule, ID, SEVERITY, "{} does not count in auto mode", "name an exact command, if it should")
