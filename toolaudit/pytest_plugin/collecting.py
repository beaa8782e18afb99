from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.reporting.cases import failure
from toolaudit.reporting.text import plain
from toolaudit.testing.case import Broken, Case
from toolaudit.testing.load import load_suite
from toolaudit.testing.run import CaseResult, run


class PolicyFailure(Exception):
    """A case whose decision is not the expected one."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.case.name)
        self.result = result


class PolicyFile(pytest.File):
    """A test file; its cases are items, broken ones included, so that one does not hide the others."""

    def collect(self) -> Iterator[PolicyCase]:
        for case in load_suite(self.path).cases:
            yield PolicyCase.from_parent(self, name=item_name(case.name), case=case)


def item_name(name: str) -> str:
    """`name` without what has a meaning in pytest's node ids: only so does `--lf` find the item again."""
    return plain(name).replace("[", "(").replace("]", ")").replace("::", ": :")


class PolicyCase(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case | Broken, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        if isinstance(case, Case) and case.skip is not None:
            self.add_marker(pytest.mark.skip(reason=case.skip))

    def runtest(self) -> None:
        if isinstance(self.case, Broken):
            raise self.case.error
        result = run(self.case)
        self.config.hook.pytest_toolaudit_decided(policy=self.case.policy, decision=result.decision, mode=result.mode)
        self.user_properties.append(("stage", result.decision.stage))
        if not result.passed:
            raise PolicyFailure(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What a reviewer needs; a traceback only for what is an error of ours."""
        if isinstance(excinfo.value, PolicyFailure):
            return "\n".join(map(plain, failure(excinfo.value.result)))
        if isinstance(self.case, Broken):
            return plain(str(self.case.error))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        line = self.case.line if isinstance(self.case, Case) else self.case.error.line
        return self.path, (line or 1) - 1, self.name
