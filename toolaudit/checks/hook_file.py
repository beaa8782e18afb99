"""A hook whose file is not there or cannot be executed.

A hook that cannot start does not block: PreToolUse goes on as if it had nothing to say. Only looked at where this
machine is meant (`--machine`).

Correct the path, or make the file executable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.checks.hook_entries import script_of
from toolaudit.model import Finding, Severity

ID = "TA096"
SEVERITY = Severity.ERROR


def find(audit: Audit) -> Iterator[Finding]:
    for hook in audit.policy.hooks:
        script = script_of(hook, audit) if hook.type == "command" else None
        if script is None or audit.file_mode is None:
            continue
        mode = audit.file_mode(script.path)
        if mode is None:
            what = "is not there"
        elif script.direct and not mode & 0o111:
            what = "is not executable"
        else:
            continue
        yield at(hook.source, ID, SEVERITY, f"the file of a hook of {hook.event} {what}: {script.path}", HELP)


HELP: Final = "a hook that cannot start does not block"
