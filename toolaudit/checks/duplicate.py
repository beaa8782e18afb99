"""The same rule twice in the same list.

The second copy does nothing, and whoever removes one of them to take access away leaves the other.

`--fix` removes the second.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Finding, Fix, Rule, Severity

ID = "TA020"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    first: dict[tuple[object, ...], Rule] = {}
    for rule in audit.written:
        key = (rule.source.scope, rule.source.file, rule.behavior, rule.text)
        if key in first:
            message = "{} stands in the list already, in line " + str(first[key].source.line)
            yield about(rule, ID, SEVERITY, message, "remove one of them", related=first[key], fix=Fix(rule))
        else:
            first[key] = rule
