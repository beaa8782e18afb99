"""The hook by which items and fixtures tell of decisions, so that coverage need not be loaded to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from toolaudit.model import Decision, Mode, Policy


@pytest.hookspec
def pytest_toolaudit_decided(policy: Policy, decision: Decision, mode: Mode) -> None:
    """A test decided a call under `policy`."""
