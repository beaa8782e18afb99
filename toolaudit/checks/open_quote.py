"""A quote that is opened and never closed.

The rule was cut at a star or a blank, in the middle of a word. What it covers may be far wider than was meant, or
nothing.

Write the rule anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.quoting import unquoted
from toolaudit.model import Finding, Severity

ID = "TA053"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands():
        rest = unquoted(specifier.replace("\\'", "").replace('\\"', ""))
        if "'" in rest or '"' in rest:
            yield about(rule, ID, SEVERITY, "{} leaves a quote open", "write it anew, without quotes where it can be")
