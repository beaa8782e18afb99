from __future__ import annotations

import pytest
import shell_texts
from hypothesis import given, settings
from hypothesis import strategies as st

from toolaudit.shell import Reading, Word, flat, read

ANY_TEXT = st.one_of(shell_texts.texts, shell_texts.flat, shell_texts.anything)


@settings(max_examples=1500, deadline=None)
@given(ANY_TEXT)
def test_never_raises_and_spans_are_slices(text: str) -> None:
    reading = read(text)
    data = text.encode("utf-8", "surrogatepass")
    for command in reading.commands:
        assert _slice(data, command.span) == command.text
        for word in _words(reading):
            assert _slice(data, word.span) == word.text
    for complexity in [*reading.evaluations, *([reading.complexity] if reading.complexity else [])]:
        start, end = complexity.span
        assert 0 <= start <= end <= len(data)


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
def test_order_of_the_text(text: str) -> None:
    commands = read(text).commands
    assert [command.span[0] for command in commands] == sorted(command.span[0] for command in commands)
    for command in commands:
        starts = [word.span[0] for word in command.argv]
        assert starts == sorted(set(starts))


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
def test_shape_and_value_agree(text: str) -> None:
    for word in _words(read(text)):
        assert (word.value is None) == (word.shape != "static")


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
def test_complexity_is_the_first_of_its_kind(text: str) -> None:
    reading = read(text)
    if reading.exact:
        assert reading.complexity == (reading.evaluations[0] if reading.evaluations else None)
    else:
        assert reading.complexity not in reading.evaluations


@settings(max_examples=1500, deadline=None)
@given(st.one_of(shell_texts.flat, shell_texts.texts))
def test_fast_path_agrees_with_the_tree(text: str) -> None:
    """A text that both can read has the same reading."""
    fast = read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flat, "is_likely", lambda text: False)
        slow = read(text)
    if fast.exact and slow.exact:
        assert fast == slow
    else:
        assert fast.exact or not slow.exact


def _words(reading: Reading) -> list[Word]:
    found = []
    for command in reading.commands:
        found += command.argv
        found += [assignment.value for assignment in command.assignments if assignment.value is not None]
        found += [redirect.target for redirect in command.redirects]
    return found


def _slice(data: bytes, span: tuple[int, int]) -> str:
    return data[span[0] : span[1]].decode("utf-8", "surrogatepass")
