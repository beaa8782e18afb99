"""An ask rule that deny rules leave nothing of.

Every call it speaks of is denied before anybody is asked. One of the two is not what was meant.

Remove the ask rule, or narrow the deny rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.shadowing import covered
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.settings.errors import quote

ID = "TA024"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    denies = audit.policy.rules_for(Behavior.DENY)
    for rule, over in covered(audit.policy.rules_for(Behavior.ASK), denies, audit.directories):
        message = "{} never asks: the deny rule " + f"{quote(over.text)} ({over.source}) comes first"
        yield about(rule, ID, SEVERITY, message, "remove it, or narrow the deny rule", related=over, fix=Fix(rule))
