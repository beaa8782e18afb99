from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from toolaudit.model import Mode, Policy, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.pipeline import decide
from toolaudit.replay import Record, Replay, Report, Settings
from toolaudit.settings import SettingsError, effective_mode
from toolaudit.testing.load import CWD, HOME, load_policy, subject
from toolaudit.testing.verdict import Verdict
from toolaudit.transcripts.reading import read


class Decide:
    """The fixture `decide`: a call in, a `Verdict` out, under the policy of the test."""

    def __init__(self, config: pytest.Config, base: Path, files: Any, situation: Mapping[str, Any]) -> None:
        self._config = config
        self._base = base
        self._files = files
        self._mode: str | None = situation.get("mode")
        self._cwd: str = situation.get("cwd") or CWD
        self._home: str = situation.get("home") or HOME
        self._trusted: bool = situation.get("trusted", True)
        self.policy = self._load(self._cwd, self._home)

    @classmethod
    def of(cls, request: pytest.FixtureRequest) -> Decide:
        """The fixture for one test, as its marks and the ini file say."""
        marks = list(request.node.iter_markers("policy"))[::-1]
        situation: dict[str, Any] = {}
        path, base = None, request.path.parent
        for mark in marks:
            situation |= mark.kwargs
            path = mark.args[0] if mark.args else path
        rules = {name: list(situation.pop(name, ())) for name in ("allow", "ask", "deny")}
        if path is None and (path := request.config.getini("toolaudit_policy")):
            base = request.config.rootpath
        files: Any = path
        if any(rules.values()):
            files = {**_scopes(path, base), **rules}
        elif path is None:
            files, base = ".", request.config.rootpath
        return cls(request.config, base, files, situation)

    def __call__(
        self,
        command: str | None = None,
        *,
        tool: str = "Bash",
        input: Mapping[str, Any] | None = None,
        mode: str | None = None,
        files: Mapping[str, str] | None = None,
        links: Mapping[str, str] | None = None,
        hooks: Iterable[Mapping[str, Any]] = (),
        classifier: Any = "unavailable",
    ) -> Verdict:
        """Decide a Bash command, or a call of `tool` with `input`; nothing is run, no hook either.

        `files` and `links` say what the machine has; `hooks` what hooks are taken to say.
        """
        if (command is None) == (input is None):
            raise TypeError("decide() takes either a command, or tool= and input=")
        call = ToolCall(tool, {"command": command} if command is not None else input or {})
        asked = mode or self._mode
        chosen, _ = effective_mode(self.policy, Mode.parse(asked) if asked else None)
        key = tuple(sorted((files or {}).items())), tuple(sorted((links or {}).items()))
        workspace = _workspace(self._cwd, self._home, self._trusted, *key)
        decision = decide(call, self.policy, chosen, workspace, hooks=tuple(hooks), classifier=classifier)
        self._config.hook.pytest_toolaudit_decided(policy=self.policy, decision=decision, mode=chosen)
        return Verdict(call, decision, chosen)

    def table(self, calls: Iterable[str | tuple[str, Mapping[str, Any]]], **situation: Any) -> str:
        """The decisions of many calls as text, a line each, to be compared with a snapshot.

        A call is a Bash command, or a tool's name and its input.
        """
        rows = []
        for call in calls:
            one = call if isinstance(call, str) else None
            tool, given = ("Bash", None) if isinstance(call, str) else call
            verdict = self(one, tool=tool, input=given, **situation)
            rows.append((str(verdict), verdict.stage, verdict.rule or "-", subject(verdict.call)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
        return "\n".join(
            "  ".join([*(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)), row[-1]])
            for row in rows
        )

    def replay(self, *paths: str | Path, mode: str | None = None) -> Report:
        """Replay recorded sessions; each call in its recorded mode, or in `mode`. Paths are relative to the test."""
        settings = Settings(
            self._load, Mode.parse(mode) if mode else None, recorded_modes=mode is None, trusted=self._trusted
        )
        replay = Replay(read([str(self._base / path) for path in paths]), settings, self.policy)
        told = self._config.hook.pytest_toolaudit_decided
        for event in replay:
            if isinstance(event, Record):
                told(policy=self.policy, decision=event.decision, mode=event.mode)
        return replay.report()

    def _load(self, cwd: str, home: str) -> Policy:
        try:
            return load_policy(self._files, self._base, cwd=cwd, home=home, trusted=self._trusted)
        except SettingsError as error:
            raise pytest.UsageError(str(error)) from None


def _scopes(path: str | None, base: Path) -> dict[str, str]:
    """The settings files that a path stands for, by scope, when rules come on top of them."""
    from toolaudit.settings import locate

    return {} if path is None else {str(s): str(p.absolute()) for s, p in locate(base / path).items()}


@lru_cache(maxsize=64)
def _workspace(
    cwd: str, home: str, trusted: bool, files: tuple[tuple[str, str], ...], links: tuple[tuple[str, str], ...]
) -> DataWorkspace:
    return DataWorkspace.describe(cwd, home, dict(files), dict(links), git=True, trusted=trusted)
