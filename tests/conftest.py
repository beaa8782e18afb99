from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says nothing about the code on a machine that is shared.
settings.register_profile("toolaudit", deadline=None)
settings.load_profile("toolaudit")

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
"""Recordings and other real data that lie beside a checkout; none of it is part of the project."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; tests that need it are skipped where it is missing."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the real data in {SHARED}")
    return SHARED
