"""A hook that reads a variable nobody sets.

Hooks get their input as JSON on standard input. `$CLAUDE_TOOL_INPUT_FILE_PATH`, `$TOOL_ARGS` and their like are empty,
so the hook does nothing, usually without a word.

Read standard input: `jq -r .tool_input.file_path`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, at
from toolaudit.model import Finding, Severity
from toolaudit.patterns import late

ID = "TA095"
SEVERITY = Severity.WARNING

_VARIABLE: Final = late(r"\$\{?(CLAUDE_(?:TOOL|FILE|HOOK|EVENT|INPUT)\w*|TOOL_(?:ARGS|INPUT|NAME)\w*|HOOK_INPUT\w*)")


def find(audit: Audit) -> Iterator[Finding]:
    for hook in audit.policy.hooks:
        found = _VARIABLE.search(hook.command) if hook.type == "command" else None
        if found is not None:
            message = f"a hook of {hook.event} reads {found[1]}, which the client does not set"
            yield at(hook.source, ID, SEVERITY, message, "read the JSON on standard input")
