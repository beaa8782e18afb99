"""A path rule on a tool whose path rules are never consulted.

The client takes `Write(...)`, `MultiEdit(...)`, `NotebookEdit(...)`, `Glob(...)` and `Grep(...)` with a path and then
looks at none of them: writes are held against `Edit` rules, reads against `Read` rules. A deny rule of this form stops
nothing, and an allow rule approves nothing.

Write `Edit(...)` for what may be written and `Read(...)` for what may be read. `--fix` does so for deny and ask rules,
which only takes access away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Fix, Severity
from toolaudit.rules import grammar

ID = "TA001"
SEVERITY = Severity.ERROR

CONSULTED: Final = {"Write": "Edit", "MultiEdit": "Edit", "NotebookEdit": "Edit", "Glob": "Read", "Grep": "Read"}
"""Tool -> the tool whose path rules count for it (documents, 4.1)."""


def find(audit: Audit) -> Iterator[Finding]:
    texts = {(rule.behavior, rule.text) for rule in audit.policy.rules}
    for rule in audit.written:
        if rule.tool not in CONSULTED or rule.specifier is None or grammar.parameter(rule) is not None:
            continue
        meant = CONSULTED[rule.tool] + rule.text[rule.text.index("(") :]
        if rule.behavior is Behavior.ALLOW:
            yield about(rule, ID, Severity.WARNING, "{} approves nothing", f"write {meant}, if that is meant")
        elif (rule.behavior, meant) in texts:
            help = f"{meant} stands in the same list and does the work; remove this one"
            yield about(rule, ID, Severity.NOTE, "{} does nothing", help, fix=Fix(rule))
        else:
            yield about(rule, ID, SEVERITY, "{} stops nothing", f"write {meant}", fix=Fix(rule, meant))
