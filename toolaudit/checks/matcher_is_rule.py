"""A permission rule where a hook's matcher belongs.

A matcher is the name of a tool or a regular expression over names. `Bash(git commit:*)` is neither, so the hook never
runs.

Write the tool's name, and the rule in the hook's `if`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity
from toolaudit.rules import grammar
from toolaudit.settings.errors import quote

ID = "TA092"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for hook in audit.policy.hooks:
        if "(" in hook.matcher and hook.matcher.endswith(")") and hook.matcher.partition("(")[0] in grammar.TOOLS:
            name = hook.matcher.partition("(")[0]
            message = f"the matcher {quote(hook.matcher)} is a permission rule and matches no tool"
            yield at(hook.source, ID, SEVERITY, message, f'write {name}, and the rule as "if"')
