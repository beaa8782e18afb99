from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def oracle() -> Iterator[object]:
    from toolaudit.fuzz.oracle import Oracle, OracleUnavailable

    try:
        oracle = Oracle()
    except OracleUnavailable as missing:
        pytest.skip(f"not checked against bash: {missing}")
    with oracle:
        yield oracle
