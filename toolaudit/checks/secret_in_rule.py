"""A secret inside a rule.

"Don't ask again" saves a command with the password or token in it. The file is then copied, shared and committed. What
stood there is masked in every output of this tool.

Remove the rule and change the secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.masking import secrets
from toolaudit.model import Behavior, Finding, Fix, Severity

ID = "TA060"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        kinds = secrets(rule.text.replace(":*", " "))
        if kinds:
            fix = Fix(rule) if rule.behavior is Behavior.ALLOW else None
            yield about(
                rule, ID, SEVERITY, "{} holds a secret: " + ", ".join(kinds), "remove it and change the secret", fix=fix
            )
