"""A program is denied and its twin is not.

`curl` and `wget` fetch alike, `rm` and `unlink` remove alike. Denying one says what was meant about the other.

Deny both, or use the sandbox's list of hosts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity

ID = "TA045"
SEVERITY = Severity.NOTE

TWINS: Final = (("curl", "wget"), ("nc", "ncat"), ("ssh", "scp"), ("sudo", "doas"))


def find(audit: Audit) -> Iterator[Finding]:
    for one, other in (*TWINS, *((b, a) for a, b in TWINS)):
        stopped = audit.decide(f"{one} x")
        if stopped.behavior is not Behavior.DENY or stopped.rule is None:
            continue
        if audit.decide(f"{other} x").behavior is not Behavior.DENY:
            message = "{} stops " + f"{one} and nothing stops {other}"
            yield about(stopped.rule, ID, SEVERITY, message, f"deny {other} too", witness=f"{other} x")
