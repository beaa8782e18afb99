"""A deny or ask rule that a wider rule of its kind makes needless.

Removing it changes no decision. It may still be worth its line as a reminder.

Remove it.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.shadowing import covered
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.settings.errors import quote

ID = "TA023"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    for behavior in (Behavior.DENY, Behavior.ASK):
        rules = audit.policy.rules_for(behavior)
        for rule, over in covered(rules, rules, audit.directories):
            message = "{} adds nothing to " + f"{quote(over.text)} ({over.source})"
            yield about(rule, ID, SEVERITY, message, "remove it", related=over, fix=Fix(rule))
