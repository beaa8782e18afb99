"""What pytest calls. What costs time is imported when there is a test file, a fixture or an option for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from toolaudit.model import Policy
    from toolaudit.pytest_plugin.deciding import Decide
    from toolaudit.replay import Report

SUFFIXES = (".toolaudit.yaml", ".toolaudit.yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("toolaudit", "policy tests")
    group.addoption(
        "--toolaudit-coverage",
        metavar="FILE",
        nargs="?",
        const=".toolaudit-coverage.json",
        help="tell which rules of the policies no test uses, and write the uses to FILE",
    )
    group.addoption(
        "--toolaudit-fail-under", metavar="PERCENT", type=float, help="fail where fewer of the rules are used"
    )
    parser.addini("toolaudit_policy", "the policy of `decide` and `policy`: a settings file or a project directory")


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from toolaudit.pytest_plugin import specs

    pluginmanager.add_hookspecs(specs)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "policy(path=None, *, mode=None, cwd=None, home=None, trusted=True, allow=(), ask=(), deny=()): the policy "
        "that the fixtures `policy`, `decide` and `replay` use, its path relative to the test's file",
    )
    wants = config.getoption("toolaudit_coverage"), config.getoption("toolaudit_fail_under")
    if any(value is not None for value in wants):
        from toolaudit.pytest_plugin.covering import CoveragePlugin

        config.pluginmanager.register(CoveragePlugin(config, *wants), "toolaudit-coverage")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith(SUFFIXES):
        return None
    from toolaudit.pytest_plugin.collecting import PolicyFile

    return PolicyFile.from_parent(parent, path=file_path)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Why `decide(...) == "deny"` is not so. Nothing is loaded for any other comparison."""
    explain = getattr(left, "__toolaudit_explain__", None) or getattr(right, "__toolaudit_explain__", None)
    if explain is None or op not in ("==", "!="):
        return None
    lines: list[str] = explain(op, right if hasattr(left, "__toolaudit_explain__") else left)
    return lines


@pytest.fixture
def decide(request: pytest.FixtureRequest) -> Decide:
    """Decides a call under the policy of the test: `decide("rm -rf /") == "deny"`; see `Decide`."""
    from toolaudit.pytest_plugin.deciding import Decide

    return Decide.of(request)


@pytest.fixture
def policy(decide: Decide) -> Policy:
    """The policy of the test: of its `policy` mark, or else of the ini option `toolaudit_policy`, or of the project."""
    return decide.policy


@pytest.fixture
def replay(decide: Decide) -> Callable[..., Report]:
    """Replays recorded sessions under the policy of the test: `replay("sessions/").changes`."""
    return decide.replay


def pytest_report_header(config: pytest.Config) -> list[str]:
    if config.getoption("verbose") <= 0:
        return []
    from toolaudit import CLIENT_VERSION

    return [f"toolaudit: semantics measured against client {CLIENT_VERSION}"]
