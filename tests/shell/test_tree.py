"""The parser is handed nothing that ends the process: its scanner looks characters up beyond the end of a table."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from toolaudit.shell.tree import harmless

STARTS = (
    "{",
    "a{",
    "$",
    "${",
    "${a",
    "$((",
    "[[ -f ",
    "<<",
    "cat <<",
    "'",
    '"',
    "`",
    "a=(",
    "case ",
    "for ",
    "((",
    "~",
    "x[",
)


def test_characters_far_beyond_ascii_are_survived() -> None:
    """In processes of their own: where the table ends in memory differs from one to the next."""
    texts = [f"{start}{chr(code)}" for start in STARTS for code in (0x1F600, 0x94669, 0xA6A02, 0xFFFFD, 0x10FFFF)]
    code = f"from toolaudit.shell import read\nfor text in {texts!a}: assert read(text).text == text"
    for _ in range(4):
        subprocess.run([sys.executable, "-c", code], check=True)


@given(st.text())
def test_a_stand_in_is_as_long_and_means_no_more(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    shown = harmless(data)
    assert len(shown) == len(data)
    assert max(shown.decode(), default="") <= "\xff"
    assert [byte for byte in shown if byte < 0x80 and byte not in b"e_"] == [
        byte for byte in data if byte < 0x80 and byte not in b"e_"
    ]
