"""An allow rule that deny or ask rules leave nothing of.

Deny comes before ask and ask before allow, whatever the scope and however narrow the allow rule is. Everything this
rule covers is covered by stronger rules, so it approves nothing. Proved by containment: no call is left over.

Remove the allow rule, or narrow the rule that overrules it.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.shadowing import covered
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.settings.errors import quote

ID = "TA021"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    stronger = (*audit.policy.rules_for(Behavior.DENY), *audit.policy.rules_for(Behavior.ASK))
    for rule, over in covered(audit.policy.rules_for(Behavior.ALLOW), stronger, audit.directories):
        message = "{} approves nothing: the " + f"{over.behavior} rule {quote(over.text)} ({over.source}) comes first"
        yield about(rule, ID, SEVERITY, message, "remove it, or narrow the other", related=over, fix=Fix(rule))
