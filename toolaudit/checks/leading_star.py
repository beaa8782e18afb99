"""An allow rule that begins with a star.

`Bash(* --version)` reads as if it asked programs for their version. It allows every program and every argument as long
as the text ends in `--version`, such as a script that ignores its last argument. Silent where other rules stop that.

Name the programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis.languages import pattern_of
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity

ID = "TA031"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.policy.rules_for(Behavior.ALLOW):
        pattern = pattern_of(rule) if rule.tool == "Bash" else None
        if pattern is None or pattern.parts[0] != "" or pattern.exact or pattern.parts == ("", ""):
            continue
        texts = (start + "x".join(pattern.parts) for start in STARTS)
        command = next((text for text in texts if audit.allows(text, rule)), None)
        if command is not None:
            yield about(rule, ID, SEVERITY, "{} allows any program", "name the programs", witness=command)


STARTS: Final = ("bash -c 'x' x", "python3 -c 'x' x", "./x x", "x")
