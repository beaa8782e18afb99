from __future__ import annotations

import io
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.reporting.text import Paint, colour_wanted, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("git push --force", "git push --force", id="plain"),
        pytest.param("größe 测试 🚀 é", "größe 测试 🚀 é", id="letters of any script stay"),
        pytest.param("\x1b[2J\x1b]0;t\x07", r"\x1b[2J\x1b]0;t\x07", id="clear the screen, set the title"),
        pytest.param("a\r\nb\tc", r"a\r\nb\tc", id="one line"),
        pytest.param("\x9b31m\x85", r"\x9b31m\x85", id="C1"),
        pytest.param("rm \u202egpj.x", r"rm \u202egpj.x", id="right-to-left override"),
        pytest.param("\u2066a\u2069\u200fb\u061c", r"\u2066a\u2069\u200fb\u061c", id="isolates and marks"),
        pytest.param("ad\u200bmin\ufeff\u00ad", r"ad\u200bmin\ufeff\xad", id="zero width"),
        pytest.param("a\U000e0041\U000e007f", r"a\U000e0041\U000e007f", id="tag characters"),
        pytest.param("x\ud83d", r"x\ud83d", id="lone surrogate"),
        pytest.param("a\u2028b", r"a\u2028b", id="line separator"),
        pytest.param("\x00\x7f", r"\x00\x7f", id="NUL and DEL"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text(alphabet=st.characters()))
def test_nothing_that_moves_or_hides_is_left(text: str) -> None:
    shown = plain(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    shown.encode()


def test_every_control_and_format_character_is_covered() -> None:
    left = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp") and plain(chr(code)) == chr(code)
    ]
    assert left == []


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "wanted"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, True),
    ],
)
def test_colour(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, wanted: bool) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = _Terminal() if terminal else io.StringIO()
    assert colour_wanted(stream) is wanted
    assert Paint(stream)("x", "red", bold=True) == ("\x1b[1;31mx\x1b[0m" if wanted else "x")
    assert Paint(stream)("x") == "x"
