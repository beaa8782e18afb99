"""A secret file guarded by naming one program that reads it.

`Bash(cat *.env*)` stops `cat`. `head`, `grep`, `cp` and every other reader are left.

Write `Read(**/.env)`, which is held against every file that the client sees a command read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.readable_secret import SECRET
from toolaudit.model import Behavior, Finding, Severity

ID = "TA043"
SEVERITY = Severity.WARNING

READERS: Final = frozenset(
    "cat less more head tail grep bat strings xxd od base64 cp mv type nano vim vi code open tac nl awk sed".split()
)


def find(audit: Audit) -> Iterator[Finding]:
    for rule, specifier in audit.commands(Behavior.DENY):
        program = specifier.partition(" ")[0]
        if program in READERS and SECRET.search(specifier):
            message = "{} stops one reader of many"
            yield about(
                rule,
                ID,
                SEVERITY,
                message,
                "write a Read(...) rule for the file",
                witness=f"tac {specifier.partition(' ')[2]}",
            )
