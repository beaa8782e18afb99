"""A variable in a path rule.

Nothing expands `$HOME`, `${CLAUDE_PROJECT_DIR}` or `%USERPROFILE%` in a rule: they are the names of folders.

Write `~/` for the home directory and `/` for the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.single_slash import PATH_TOOLS
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA008"
SEVERITY = Severity.ERROR

_VARIABLE: Final = late(r"\$\{?[A-Za-z_]\w*|%[A-Za-z_]\w*%")


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        found = _VARIABLE.search(rule.specifier or "") if rule.tool in PATH_TOOLS else None
        if found is not None:
            message = "{} holds " + found[0] + ", which nothing expands"
            yield about(rule, ID, SEVERITY, message, "write ~/ for the home directory, / for the project")
