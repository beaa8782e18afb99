from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolaudit.analysis.coverage import Coverage
from toolaudit.model import Decision, Mode, Policy
from toolaudit.reporting import coverage as told

_KEY = "toolaudit-coverage"


class CoveragePlugin:
    """Adds up what tests use, in this process and in those of xdist, and tells of it at the end."""

    def __init__(self, config: pytest.Config, file: str | None, fail_under: float | None) -> None:
        self._config = config
        self._file = file
        self._fail_under = fail_under
        self._coverage = Coverage()

    def pytest_toolaudit_decided(self, policy: Policy, decision: Decision, mode: Mode) -> None:
        self._coverage.expect(policy)
        self._coverage.add(decision, mode)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A process of xdist is done; one that crashed has told nothing."""
        data = getattr(node, "workeroutput", {}).get(_KEY)
        if data is not None:
            self._coverage.merge(Coverage.read(data))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        worker = getattr(self._config, "workeroutput", None)
        if worker is not None:
            worker[_KEY] = self._coverage.data()
            return
        if self._file is not None:
            told.save(self._coverage, self._config.invocation_params.dir / Path(self._file))
        if self._low and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @property
    def _low(self) -> bool:
        return self._fail_under is not None and self._coverage.percent() < self._fail_under

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("policy coverage")
        for line in told.lines(self._coverage):
            terminalreporter.write_line(line)
        if self._low:
            terminalreporter.write_line(f"coverage is below --toolaudit-fail-under {self._fail_under:g}", red=True)
