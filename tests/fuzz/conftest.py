from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolaudit.fuzz.oracle import Oracle, OracleUnavailable


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    try:
        oracle = Oracle()
    except OracleUnavailable as missing:
        pytest.skip(f"not checked against bash: {missing}")
    with oracle:
        yield oracle
