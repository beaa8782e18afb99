"""A secret that Read may not read and an interpreter may.

`Read(**/.env)` stops the Read tool and the commands whose operands the client knows to be files. A script that opens
the file is not looked at, and an allow rule here lets one run.

Remove the allow rule for the interpreter, or deny reading in the sandbox (`sandbox.filesystem.denyRead`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks import starters
from toolaudit.checks.audit import Audit, about
from toolaudit.model import Behavior, Finding, Severity
from toolaudit.patterns import late
from toolaudit.settings.errors import quote

ID = "TA042"
SEVERITY = Severity.WARNING

SECRET: Final = late(
    r"\.env\b|secret|credential|\.pem|\.key|id_rsa|id_ed25519|\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc"
)


def find(audit: Audit) -> Iterator[Finding]:
    granted = next(starters.granted(audit, "interpreter"), None) or next(starters.granted(audit, "shell"), None)
    if granted is None:
        return
    by, command = granted
    for rule in audit.policy.rules_for(Behavior.DENY):
        if rule.tool == "Read" and SECRET.search(rule.specifier or ""):
            message = "{} does not stop " + f"{quote(by.text)}, which reads any file"
            yield about(rule, ID, SEVERITY, message, "deny it in the sandbox as well", related=by, witness=command)
