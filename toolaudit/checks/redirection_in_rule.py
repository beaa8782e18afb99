"""A redirection in a rule that no text gets past.

Redirections are cut out of a command before allow and ask rules see it, and their targets are checked as paths. A rule
with `>` in it is then compared with a command that has none.

Leave the redirection out, and use `Edit(...)` rules for where output may go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis import examples
from toolaudit.checks.audit import Audit, about
from toolaudit.checks.quoting import unquoted
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.patterns import late

ID = "TA014"
SEVERITY = Severity.ERROR

_REDIRECTION: Final = late(r"(?<![-=<>])[0-9&]?>{1,2}(?!=)|(?<![-=<>])<{1,3}(?![=<])")


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW, Behavior.ASK):
        if _REDIRECTION.search(unquoted(specifier)) and not examples.decides_alone(rule, audit.workspace):
            message = "{} holds a redirection, which is cut out before rules are compared"
            yield about(rule, ID, SEVERITY, message, "leave it out; Edit rules say where output may go")
