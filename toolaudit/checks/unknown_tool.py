"""A rule for a tool that does not exist.

The client takes the rule without a word, and it matches no call. Names are case-sensitive and hold no blanks.

Correct the name, or remove the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.former_tool import FORMER
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late
from toolaudit.rules import grammar
from toolaudit.settings.check import closest

ID = "TA004"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        name = rule.tool
        if name in grammar.TOOLS or name in FORMER or not _NAME.fullmatch(name) or "_" in name:
            continue
        close = closest(name, grammar.TOOLS)
        help = f"did you mean {close}?" if close else "correct the name, or remove the rule"
        yield about(rule, ID, SEVERITY, "{} names no tool that exists", help)


_NAME: Final = late(r"[A-Za-z][\w-]*")
