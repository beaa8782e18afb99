"""A hook that the model may rewrite.

The hook's file lies in a working directory, and no rule denies editing it: in acceptEdits nobody is asked. `/tmp` is
everybody's to write. A guard must not be in the hands of the guarded.

Deny `Edit` on the file, or keep it outside the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.checks.audit import Audit, at
from toolaudit.checks.hook_entries import script_of
from toolaudit.model import Behavior, Finding, Mode, Severity, ToolCall
from toolaudit.pipeline import decide

ID = "TA098"
SEVERITY = Severity.WARNING


def find(audit: Audit) -> Iterator[Finding]:
    for hook in audit.policy.hooks:
        script = script_of(hook, audit) if hook.type == "command" else None
        if script is None:
            continue
        call = ToolCall("Edit", {"file_path": script.path, "old_string": "x", "new_string": "y"})
        shared = script.path.startswith(("/tmp/", "/var/tmp/", "/dev/shm/"))
        decision = decide(call, audit.policy, Mode.ACCEPT_EDITS, audit.workspace)
        if shared or decision.behavior is Behavior.ALLOW:
            message = f"the file of a hook of {hook.event} can be rewritten: {script.path}"
            yield at(hook.source, ID, SEVERITY, message, f"deny Edit(/{script.path}), or keep it elsewhere")
