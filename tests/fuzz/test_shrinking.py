from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolaudit.fuzz.shrinking import shrink


def test_what_matters_is_left() -> None:
    text = "if ls -l /tmp; then git push --force origin main; fi # a comment"
    assert shrink(text, lambda text: "push" in text and "--force" in text) == "push--force"
    assert shrink(text, lambda text: text.split(" ")[:1] == ["if"]) == "if"


@given(st.text(alphabet="ab ;|$(x)\n", min_size=1, max_size=60))
def test_it_still_fails_is_no_longer_and_never_changes(text: str) -> None:
    def fails(candidate: str) -> bool:
        return candidate.count("a") >= text.count("a") and candidate.strip() != ""

    if not fails(text):
        return
    shrunk = shrink(text, fails)
    assert fails(shrunk)
    assert len(shrunk) <= len(text)
    assert shrink(text, fails) == shrunk


def test_it_asks_no_more_often_than_agreed() -> None:
    asked = []

    def fails(candidate: str) -> bool:
        asked.append(candidate)
        return "x" in candidate

    shrink("a b c d e f g h x " * 50, fails, attempts=30)
    assert len(asked) <= 30
