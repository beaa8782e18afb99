"""A here-document or several lines, saved as a rule.

The rule allows this very text, which will not come again: a commit message, a script, a prompt.

Remove it, and allow the command by its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity

ID = "TA051"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW):
        here = "<<" in specifier and "EOF" in specifier
        if here or "\n" in specifier or ("\\n" in specifier and len(specifier) > LONG):
            what = "a here-document" if here else "several lines"
            yield about(rule, ID, SEVERITY, "{} spells out " + what, "remove it", fix=Fix(rule))


LONG: Final = 160
"""Characters from which on a rule with `\\n` in it is a text rather than a pattern."""
