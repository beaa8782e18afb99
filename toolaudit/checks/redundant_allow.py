"""An allow rule that a wider allow rule makes needless.

Removing it changes no decision. Long lists of approvals saved one by one hide the rule that matters.

Remove it, or remove the wider one, which is the safer half of the choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.shadowing import covered
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.settings.errors import quote

ID = "TA022"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    rules = audit.policy.rules_for(Behavior.ALLOW)
    for rule, over in covered(rules, rules, audit.directories):
        message = "{} adds nothing to " + f"{quote(over.text)} ({over.source})"
        yield about(rule, ID, SEVERITY, message, "remove it, or the wider one", related=over, fix=Fix(rule))
