from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from toolaudit.model import Decision, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions import HookVerdict, decide
from toolaudit.settings import load_objects

CWD, HOME = "/srv/app", "/home/dana"
FILES = {"a.txt": "x\n", "src/a.py": "x\n", ".env": "x\n", f"{HOME}/notes.txt": "x\n"}

Ask = Callable[..., Decision]


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Decide one call under rules given as lists; the command of a Bash call may be given alone."""
    workspace = DataWorkspace.describe(CWD, HOME, FILES, git=True)
    policies: dict[str, Policy] = {}

    def question(
        call: str | tuple[str, Mapping[str, Any]],
        *,
        mode: Mode | str = Mode.DEFAULT,
        allow: Iterable[str] = (),
        ask: Iterable[str] = (),
        deny: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
        hook: HookVerdict | None = None,
        classifier: Any = "unavailable",
    ) -> Decision:
        permissions = {"allow": list(allow), "ask": list(ask), "deny": list(deny)}
        body = {"permissions": permissions, **(settings or {})}
        policy = policies.get(repr(body))
        if policy is None:
            policy = policies[repr(body)] = load_objects({Scope.PROJECT: body}, cwd=CWD, home=HOME)
        tool, values = ("Bash", {"command": call}) if isinstance(call, str) else call
        return decide(ToolCall(tool, values), policy, Mode(mode), workspace, hook=hook, classifier=classifier)

    return question
