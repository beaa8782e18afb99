"""A rule that spells a long command out.

Without a star a rule covers one text to the letter. One of more than 160 characters will hardly come again.

Remove it, and allow the command by its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.rules.commands import compile_specifier

ID = "TA052"
SEVERITY = Severity.NOTE

LONGEST: Final = 160


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW):
        if len(specifier) > LONGEST and compile_specifier(specifier).exact and "\n" not in specifier:
            message = f"a rule of {len(specifier):,} characters spells one command out: " + "{}"
            yield about(rule, ID, SEVERITY, message, "remove it", fix=Fix(rule))
