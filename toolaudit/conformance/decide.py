from __future__ import annotations

import json

from toolaudit.conformance.cases import CWD, HOME, Case
from toolaudit.model import Decision, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.pipeline import decide
from toolaudit.settings import effective_mode, load_objects
from toolaudit.tools.pool import HEADLESS, Pool


class Decider:
    """Decides cases one after the other.

    Cases that share everything but tool and input share their policy and workspace, as they share one client process
    when they are measured; the last few such groups are kept, so memory stays flat over any number of cases.
    """

    KEPT = 64

    def __init__(self) -> None:
        self._groups: dict[str, tuple[Policy, DataWorkspace]] = {}

    def decide(self, case: Case) -> tuple[Decision, Mode]:
        """The decision for `case` and the mode it was made in.

        Raises SettingsError where the client would drop one of the case's settings, ValueError for an unknown mode.
        """
        policy, workspace = self._group(case)
        mode, _ = effective_mode(policy, Mode.parse(case.mode) if case.mode is not None else None)
        offered = Pool(HEADLESS.built_in, case.mcp)
        call = ToolCall(case.tool, case.input, case.id)
        return decide(call, policy, mode, workspace, hooks=case.hooks, offered=offered), mode

    def _group(self, case: Case) -> tuple[Policy, DataWorkspace]:
        key = json.dumps(
            [case.settings, case.trusted, case.files, case.links, case.git, case.start, case.mcp], sort_keys=True
        )
        group = self._groups.pop(key, None)
        if group is None:
            scopes = {Scope(name): _given(Scope(name), value) for name, value in case.settings.items()}
            policy = load_objects(scopes, cwd=case.start, home=HOME, trusted=case.trusted)
            workspace = DataWorkspace.describe(CWD, HOME, case.files, case.links, git=case.git, trusted=case.trusted)
            group = policy, workspace
        self._groups[key] = group
        if len(self._groups) > self.KEPT:
            del self._groups[next(iter(self._groups))]
        return group


def _given(scope: Scope, settings: object) -> object:
    """The command line gives rules to allow and to deny, and nothing else of a settings object."""
    if scope is not Scope.CLI or not isinstance(settings, dict):
        return settings
    rules = settings.get("permissions") or {}
    return {"permissions": {key: rules[key] for key in ("allow", "deny") if key in rules}}
