"""A secret in `env`.

Every session exports it to every command, and the file is easily shared.

Take it from the shell's environment or a helper, and change the secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.checks.masking import secrets
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA061"
SEVERITY = Severity.ERROR

_NAME: Final = late(r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)(?:_|\Z)", 2)
_PLAIN: Final = late(r"\$|\{|true\Z|false\Z|\d{1,6}\Z|<|/|~|REDACTED\Z", 2)


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        settings = document.value.get("env")
        for name, value in settings.items() if isinstance(settings, dict) else ():
            if not isinstance(value, str) or not value:
                continue
            if secrets(value) or (_NAME.search(name) and len(value) >= SHORTEST and not _PLAIN.match(value)):
                where = document.source("env", name)
                yield at(
                    where, ID, SEVERITY, f"env.{name} holds a secret", "take it from elsewhere and change the secret"
                )


SHORTEST: Final = 8
"""Characters from which on a value under such a name is taken for a secret."""
