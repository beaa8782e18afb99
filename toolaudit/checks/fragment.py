"""A piece of a loop or a condition, saved as a rule.

"Don't ask again" saves the parts of a command text. `do`, `done`, `then` and `for x in ...` are no commands, so the
rule never helps again, or helps with something that was never looked at.

Remove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.patterns import late

ID = "TA050"
SEVERITY = Severity.WARNING

_FRAGMENT: Final = late(r"(?:do|then|else|elif|if|while|until|for|case|done|fi|esac)(?:[ :;]|\Z)|__NEW_LINE_|[{}]\Z")


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.ALLOW):
        if _FRAGMENT.match(specifier):
            yield about(rule, ID, SEVERITY, "{} is a piece of a loop or a condition", "remove it", fix=Fix(rule))
