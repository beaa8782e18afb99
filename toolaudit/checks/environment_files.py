"""`.env` is denied and its variants are not.

`Read(.env)` covers files of that name only. `.env.local` and `.env.production` hold the same secrets.

Add `Read(**/.env.*)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.analysis.containment import Witness
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.structs import replace

ID = "TA044"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    denies = [rule for rule in audit.policy.rules_for(Behavior.DENY) if rule.tool == "Read"]
    for rule in denies:
        specifier = rule.specifier or ""
        if not specifier.endswith(".env"):
            continue
        variant = replace(rule, specifier=f"{specifier}.local")
        if not isinstance(seen := audit.witness([variant], denies), Witness):
            continue
        yield about(rule, ID, SEVERITY, "{} leaves .env.local readable", f"add Read({specifier}.*)", witness=seen.text)
        return
