"""A repository that says where the model's traffic goes.

`ANTHROPIC_BASE_URL` in a project's settings sends every prompt, and the key with it, to a host of the repository's
choice, before anybody has looked (CVE-2026-21852).

Move it to your own settings, if you want it at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Scope, Severity

ID = "TA063"
SEVERITY = Severity.ERROR

VARIABLES: Final = (
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_VERTEX_BASE_URL",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "PATH",
)
"""What a repository should not set for a session."""


def find(audit: Audit) -> Iterator[Finding]:
    for document in audit.documents:
        settings = document.value.get("env")
        if document.scope is not Scope.PROJECT or not isinstance(settings, dict):
            continue
        for name in VARIABLES:
            if name in settings:
                message = f"a project's settings set {name} for every session"
                yield at(document.source("env", name), ID, SEVERITY, message, "move it to your own settings")
