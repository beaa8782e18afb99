from __future__ import annotations

from collections import Counter

import pytest
import reading_cases

from toolaudit.shell import read

CASES = reading_cases.load()


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_reading(case: reading_cases.Case) -> None:
    assert reading_cases.render(read(case.text)) == case.expected


def test_names_are_unique() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_incomplete_case_is_an_error() -> None:
    with pytest.raises(ValueError, match="case 'x' has no line ---"):
        list(reading_cases.parse("file", "=== x\nls\n"))


def test_bash_starts_nothing_else(oracle) -> None:
    """Every case that is accepted, run in real bash with programs succeeding and failing."""
    from toolaudit.fuzz.holes import holes

    found = {
        case.id: programs
        for case in CASES
        if (reading := read(case.text)).complexity is None
        for succeed in (True, False)
        if (programs := holes(reading, oracle.run(case.text, succeed)))
    }
    assert found == {}
