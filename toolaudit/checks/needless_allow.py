"""An allow rule for what needs no permission.

Commands that only read, `cd` within the working directories, and tools that touch nothing run without a rule. The rule
covers more than that as a rule, and more than was needed.

Remove it, and see whether anything asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis import examples
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Policy, Severity
from toolaudit.pipeline import decide
from toolaudit.tools import pool

ID = "TA025"
SEVERITY = Severity.NOTE


def find(audit: Audit) -> Iterator[Finding]:
    empty = Policy()
    for rule in audit.policy.rules_for(Behavior.ALLOW):
        if rule.specifier is None:
            tool = pool.BUILT_IN.get(rule.tool)
            if tool is not None and (tool.need is pool.Need.NOTHING or rule.tool in READERS):
                yield about(rule, ID, SEVERITY, "{} is for a tool that runs without it", HELP)
            continue
        if rule.tool != "Bash":
            continue
        command = next(examples.calls(rule, audit.directories), None)
        if command is not None and decide(command, empty, audit.mode, audit.workspace).behavior is Behavior.ALLOW:
            yield about(
                rule,
                ID,
                SEVERITY,
                "{} is for a command that runs without it",
                HELP,
                witness=str(command.input["command"]),
            )


HELP: Final = "remove it, and see whether anything asks"
READERS: Final = frozenset({"Read", "Glob", "Grep"})
"""Tools that need no permission in the working directories; the bare rule reaches beyond."""
