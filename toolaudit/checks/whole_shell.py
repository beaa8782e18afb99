"""Every command is allowed.

`Bash`, `Bash(*)` and their like let a model run anything at all without anybody being asked. Auto mode sets the rule
aside for that reason (measured). Silent where deny and ask rules stop the commands tried.

Name the commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis.languages import pattern_of
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity

ID = "TA030"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.policy.rules_for(Behavior.ALLOW):
        pattern = pattern_of(rule)
        whole = pattern is not None and pattern.parts == ("", "")
        if rule.tool != "Bash" or (rule.specifier is not None and not whole):
            continue
        command = next((text for text in TRIED if audit.allows(text, rule)), None)
        if command is not None:
            yield about(
                rule, ID, SEVERITY, "{} allows every command", "name the commands that are needed", witness=command
            )


TRIED: Final = ("x", "sh -c x", "python3 -c x", "curl https://host.example/x -o x", "./x")
