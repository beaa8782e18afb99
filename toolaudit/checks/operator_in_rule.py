"""An operator in a rule that no text gets past.

A command text is split at `&&`, `||`, `;` and `|` first, and an allow or ask rule is compared with the parts. A rule
that holds an operator can then match no part. Two forms do work and are not reported: an allow rule that spells a
whole list out without a star, and a deny rule, which is compared with the whole text as well (measured).

Write one rule for each part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis import examples
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.quoting import unquoted
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.patterns import late

ID = "TA012"
SEVERITY = Severity.ERROR

_OPERATOR: Final = late(r"&&|\|\|?|;|&(?![0-9>])")


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW, Behavior.ASK):
        found = _OPERATOR.search(unquoted(specifier))
        if found is not None and not examples.decides_alone(rule, audit.workspace):
            message = "{} holds " + found[0] + ", at which commands are split before rules are compared"
            yield about(rule, ID, SEVERITY, message, "write one rule for each part")
