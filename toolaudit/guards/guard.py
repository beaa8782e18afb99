from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.model import Hook, Scope, Source
from toolaudit.pipeline.hooks import command
from toolaudit.pipeline.hooks.ran import words
from toolaudit.tools.effects.commands import Runner

SILENT: Final = "silent"
"""The guard had no objection, and granted nothing."""

FAILED: Final = "failed"
"""The guard crashed, took too long or said what no hook says."""


_SAID: Final = re.compile(r"\Aa PreToolUse hook (?:said \w+|failed)(?:: |\Z)")
"""What the client puts before a hook's reason; a table of guards says it by its columns."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A program that is asked about calls as Claude Code asks a PreToolUse hook."""

    name: str
    command: str
    seconds: float

    @classmethod
    def parse(cls, text: str, seconds: float) -> Guard:
        """`NAME=COMMAND`. Raises ValueError for anything else."""
        name, separator, line = text.partition("=")
        if not (separator and name.strip() and line.strip()):
            raise ValueError(f"expected NAME=COMMAND, got {text!r}")
        return cls(name.strip(), line.strip(), seconds)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a guard said of one call."""

    word: str
    """`allow`, `ask`, `deny`, `silent` or `failed`."""
    why: str = ""


def ask(guard: Guard, tool: str, given: Mapping[str, Any], cwd: str, mode: str, runner: Runner, place: str) -> Verdict:
    """Runs `guard` on one call. `cwd` is what it is told, `place` the existing directory it runs in."""
    payload = {
        "session_id": "compare-guards",
        "transcript_path": "",
        "cwd": cwd,
        "permission_mode": mode,
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": dict(given),
        "tool_use_id": "toolu_compare_guards",
    }
    hook = Hook("PreToolUse", "", None, guard.command, Source(Scope.CLI), seconds=guard.seconds)
    said = words(hook, command.run(hook, json.dumps(payload).encode(), runner, place))
    if said.behavior is not None:
        return Verdict(str(said.behavior), _SAID.sub("", said.feedback or said.why))
    return Verdict(FAILED, _SAID.sub("", said.note)) if said.note else Verdict(SILENT)
