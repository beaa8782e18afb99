from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolaudit.model import Mode
from toolaudit.play.script import Calls, Script, ScriptedCall, SetMode, Step
from toolaudit.replay.machine import of_today
from toolaudit.transcripts import RecordedCall
from toolaudit.transcripts.reading import read


def script_of(paths: Iterable[str]) -> Script:
    """A recorded session as a script: its calls one after another, its project's paths as those of the workspace.

    Calls of sub-agents are left out, as are those the client has no tool for: the Agent call itself is there, without
    steps. The modes are those recorded.
    """
    steps: list[Step] = []
    mode: Mode | None = None
    for event in read(paths):
        if not isinstance(event, RecordedCall) or event.sidechain or not event.counterpart:
            continue
        if event.mode is not None and event.mode is not mode:
            mode = event.mode
            steps.append(SetMode(mode))
        call = of_today(event.call)
        given = _placed(call.input, event.root) if event.root else call.input
        steps.append(Calls((ScriptedCall(call.tool, given),)))
    return Script(tuple(steps))


def _placed(given: Mapping[str, Any], root: str) -> Mapping[str, Any]:
    """The input with the project's directory written as `{cwd}`."""
    return {
        name: value.replace(root, "{cwd}") if isinstance(value, str) and root != "/" else value
        for name, value in given.items()
    }
