from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass

from toolaudit.classifier.inquiry import Inquiry
from toolaudit.classifier.stages import Classifier
from toolaudit.conformance import processes
from toolaudit.conformance.cases import CWD, HOME, Case
from toolaudit.model import Decision, Mode, Policy, Scope, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions.request import ClassifierAnswer
from toolaudit.pipeline import decide
from toolaudit.settings import effective_mode, load_objects
from toolaudit.settings.known import known_to
from toolaudit.structs import replace
from toolaudit.tools.pool import Pool, headless
from toolaudit.tools.session import Session


@dataclass(slots=True)
class _Process:
    """What the cases share that one client process takes when they are measured."""

    policy: Policy
    workspace: DataWorkspace
    session: Session
    inquiry: Inquiry | None
    """What puts calls to a classifier, where one is there to ask."""
    calls: int = 0


class Decider:
    """Decides cases one after the other.

    Cases that share everything but tool and input share their policy, their workspace and a session, as they share one
    client process when they are measured: what one of them reads or writes is read or written for the next. The last
    few such groups are kept, so memory stays flat over any number of cases.
    """

    KEPT = 64

    def __init__(self, version: Version = NEWEST, classifier: ClassifierAnswer | Classifier = "unavailable") -> None:
        self._version = version
        self._classifier = classifier
        self._processes: dict[str, _Process] = {}

    def decide(self, case: Case) -> tuple[Decision, Mode]:
        """The decision for `case` and the mode it was made in.

        Raises SettingsError where the client would drop one of the case's settings.
        """
        process = self._process(case)
        policy, workspace = process.policy, process.workspace
        mode, _ = effective_mode(policy, Mode.parse(case.mode) if case.mode is not None else None)
        offered = Pool(headless(self._version).built_in, case.mcp)
        call = ToolCall(case.tool, case.input, case.id)
        decision = decide(
            call,
            policy,
            mode,
            workspace,
            hooks=case.hooks,
            classifier=process.inquiry or self._stated,
            offered=offered,
            session=process.session,
            version=self._version,
        )
        if process.inquiry is not None:
            process.inquiry.conversation.did(call)
        return decision, mode

    @property
    def _stated(self) -> ClassifierAnswer:
        return self._classifier if isinstance(self._classifier, str) else "unavailable"

    def _process(self, case: Case) -> _Process:
        shared = [getattr(case, name) for name in SHARED]
        key = json.dumps(shared, sort_keys=True)
        process = self._processes.pop(key, None) or self._start(case)
        if process.calls == processes.shared(case.mode):
            process = self._begin(process.policy, process.workspace)
        process.calls += 1
        self._processes[key] = process
        if len(self._processes) > self.KEPT:
            del self._processes[next(iter(self._processes))]
        return process

    def _start(self, case: Case) -> _Process:
        scopes = {Scope(name): _given(Scope(name), value) for name, value in case.settings.items()}
        files = {**_client_files(case), **case.files}
        described = DataWorkspace.describe(CWD, HOME, files, case.links, git=case.git, trusted=case.trusted)
        workspace = replace(described, cwd=described.resolve(case.start))
        policy = load_objects(
            scopes, cwd=workspace.cwd, home=HOME, trusted=case.trusted, flag_directory=posixpath.dirname(CWD)
        )
        return self._begin(known_to(policy, self._version), workspace)

    def _begin(self, policy: Policy, workspace: DataWorkspace) -> _Process:
        said = self._classifier
        inquiry = None if isinstance(said, str) else Inquiry(said, policy, workspace)
        return _Process(policy, workspace, Session(workspace), inquiry)


SHARED = ("settings", "mode", "trusted", "files", "links", "git", "start", "mcp", "hooks", "env", "args")
"""The fields that cases of one client process have in common."""


SETTINGS_FILES = {
    "user": f"{HOME}/.claude/settings.json",
    "project": f"{CWD}/.claude/settings.json",
    "local": f"{CWD}/.claude/settings.local.json",
    "managed": "/etc/claude-code/managed-settings.json",
}
"""Scope -> the file that holds its settings while a case is measured."""


def _client_files(case: Case) -> dict[str, str]:
    """The client's own files, which a call may name as well as any other."""
    texts = {
        path: value if isinstance(value := case.settings[scope], str) else json.dumps(value)
        for scope, path in SETTINGS_FILES.items()
        if scope in case.settings
    }
    return {**texts, f"{HOME}/.claude.json": "{}"} if case.trusted else texts


def _given(scope: Scope, settings: object) -> object:
    """The command line gives rules to allow and to deny, and nothing else of a settings object."""
    if scope is not Scope.CLI or not isinstance(settings, dict):
        return settings
    rules = settings.get("permissions") or {}
    return {"permissions": {key: rules[key] for key in ("allow", "deny") if key in rules}}
