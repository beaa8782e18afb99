from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolaudit.transcripts.ids import IdSet


@given(st.lists(st.text(max_size=3) | st.tuples(st.text(max_size=2), st.binary(max_size=2))))
def test_it_knows_what_a_set_knows(keys: list[object]) -> None:
    ids, seen = IdSet(), set()
    for key in keys:
        assert ids.add(key) is (key not in seen)
        seen.add(key)
    assert len(ids) == len(seen)


def test_it_grows_and_forgets_nothing() -> None:
    ids = IdSet()
    names = [f"toolu_{number}" for number in range(20_000)]
    assert all(ids.add(name) for name in names)
    assert not any(ids.add(name) for name in names)
    assert len(ids) == 20_000
