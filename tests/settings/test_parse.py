"""Texts that are no settings: the exact message, help and position of each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Scope
from toolaudit.settings.errors import SettingsError, fate
from toolaudit.settings.parse import MAX_BYTES, parse

DROPPED = fate(Scope.USER, readable=False)

TEXTS = [
    # text, line, column, message, help
    ("", 1, 1, "expected a value, got the end of the file", "write {} for no settings"),
    ("  \n ", 2, 2, "expected a value, got the end of the file", "write {} for no settings"),
    ('{"a": [1,]}', 1, 9, "expected no comma before the end of a list or object, got one", "remove the comma"),
    ('{"a": 1,\n}', 1, 8, "expected no comma before the end of a list or object, got one", "remove the comma"),
    (
        '{\n  // why\n  "a": 1}',
        2,
        3,
        "expected a key in double quotes, got a comment",
        "JSON has no comments; remove it",
    ),
    ('{/* why */"a": 1}', 1, 2, "expected a key in double quotes, got a comment", "JSON has no comments; remove it"),
    (
        '{"a": 1 # why\n}',
        1,
        9,
        "expected a comma or the end of the list or object, got a comment",
        "JSON has no comments; remove it",
    ),
    ("[]", 1, 1, "expected an object, got a list", "put the keys in braces"),
    ("null", 1, 1, "expected an object, got null", "put the keys in braces"),
    ('"x"', 1, 1, 'expected an object, got the string "x"', "put the keys in braces"),
    ("{'a': 1}", 1, 2, "expected a key in double quotes, got a single quote", "use double quotes"),
    ("{a: 1}", 1, 2, "expected a key in double quotes, got a", "correct it"),
    (
        '{"a": 1',
        1,
        8,
        "expected a comma or the end of the list or object, got the end of the file",
        "the file is cut short",
    ),
    ('{"a": "x', 1, 7, "expected a closing quote, got none", "close the string"),
    ('{"a" 1}', 1, 6, "expected a colon, got 1", "correct it"),
    ('{"a": 1 "b": 2}', 1, 9, 'expected a comma or the end of the list or object, got "', "correct it"),
    ('{"a": 1} x', 1, 10, "expected the end of the file, got x", "correct it"),
    ('{"a": 1}\n{"b": 2}', 2, 1, "expected the end of the file, got {", "correct it"),
    ('{"a": tru}', 1, 7, "expected a value, got tru", "correct it"),
    ('{"a": "NaN", "b": NaN}', 1, 19, "expected a number, got NaN", "JSON has no NaN"),
    ('{"a": [1, -Infinity]}', 1, 11, "expected a number, got -Infinity", "JSON has no -Infinity"),
    ('{"a": "x\ty"}', 1, 9, 'expected an escape in a string, got "\\t" itself', "write it as an escape"),
    ('{"a": "x\x00y"}', 1, 9, 'expected an escape in a string, got "\\u0000" itself', "write it as an escape"),
    ('{"a": "C:\\x"}', 1, 10, "expected an escape that JSON has, got another", "write a backslash itself twice"),
    (
        '{"é": "é",\n "é": [1,]}',
        2,
        9,
        "expected no comma before the end of a list or object, got one",
        "remove the comma",
    ),
    ("\x1b]0;x\x07", 1, 1, 'expected a value, got "\\u001b"', "correct it"),
]


@pytest.mark.parametrize(("text", "line", "column", "message", "advice"), TEXTS, ids=[repr(row[0]) for row in TEXTS])
def test_text_that_the_client_drops(text: str, line: int, column: int, message: str, advice: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(text.encode(), Scope.USER, "s.json")
    error = caught.value
    assert (error.line, error.column, error.message, error.help) == (line, column, message, f"{DROPPED}; {advice}")
    assert str(error) == f"s.json:{line}:{column}: {message}\n  help: {DROPPED}; {advice}"


OTHER = [
    # bytes, line, column, message, word of the help
    (b"\xef\xbb\xbf{}", 1, 1, "expected UTF-8 without a byte order mark, got a byte order mark", "reads past the mark"),
    ("{}".encode("utf-16"), 1, 1, "expected UTF-8 without a byte order mark, got a byte order mark", "plain UTF-8"),
    (b'{"\xc3\xa9": "\xc3"}', 1, 8, "expected UTF-8, got the byte 0xc3", "U+FFFD"),
    (b'{"a": 1, "b": {"c": 1, "c": 2}}', 1, 24, 'expected each key once, got "c" again', "takes the last"),
    ('{"é": "é",\n "é": 1}'.encode(), 2, 2, 'expected each key once, got "\\u00e9" again', "takes the last"),
    (b'{"a": "\\ud800"}', 1, 7, "expected text, got half of a surrogate pair", "write the whole character"),
    (b'{"b": ["\\ud83d\\ude00", "\\udc00"]}', 1, 24, "expected text, got half of a surrogate pair", "client keeps it"),
    (b"[" * 10_000 + b"]" * 10_000, 1, 101, "expected at most 100 levels of nesting, got more", "nests that deep"),
    (b'{"a":\n' + b'{"a":' * 100_000, 2, 496, "expected at most 100 levels of nesting, got more", "remove the value"),
    (b" " * 10_000_000, 1, 1, f"expected at most {MAX_BYTES:,} bytes, got 10,000,000", DROPPED),
]


@pytest.mark.parametrize(
    ("data", "line", "column", "message", "words"), OTHER, ids=[repr(row[0][:12]) for row in OTHER]
)
def test_bytes_the_client_reads_otherwise(data: bytes, line: int, column: int, message: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(data, Scope.USER, "s.json")
    error = caught.value
    assert (error.line, error.column, error.message) == (line, column, message)
    assert words in error.help


VALID = [
    b"{}",
    b'{"a": "\\u0000"}',
    b'{"a": "\\ud83d\\ude00"}',
    b'{"a": ' + b"9" * 100_000 + b"}",
    b'{"a": 1e999999}',
    b'{"a": "' + b"x" * 1_000_000 + b'"}',
    b'{"a": ' + b"[" * 90 + b"]" * 90 + b"}",
    b'{"": {"": [[], {}, ""]}}',
]


@pytest.mark.parametrize("data", VALID, ids=[repr(row[:24]) for row in VALID])
def test_odd_but_valid(data: bytes) -> None:
    parse(data, Scope.USER)


def test_a_mark_in_text_is_one_too() -> None:
    with pytest.raises(SettingsError, match="got a byte order mark"):
        parse("\ufeff{}", Scope.USER)


def test_positions_count_characters_not_bytes() -> None:
    document = parse('{"é": "日本", "list": ["ä",\n\t"b", {"k": 1}]}', Scope.USER, "s.json")
    assert [
        (document.source(*path).line, document.source(*path).column)
        for path in [("é",), ("list",), ("list", 0), ("list", 1), ("list", 2), ("list", 2, "k")]
    ] == [(1, 2), (1, 13), (1, 22), (2, 2), (2, 7), (2, 8)]
    assert str(document.source("list", 1)) == "s.json:2:2"
    assert str(document.source("list", 2, "missing")) == "s.json:2:7"


TEXT = st.text(alphabet='ab"\\\n\té日😀{}[],:/ ', max_size=6)
SCALAR = st.none() | st.booleans() | st.integers(-1000, 1000) | TEXT
INNER = st.lists(SCALAR, max_size=3) | st.dictionaries(TEXT, SCALAR, max_size=3)
OUTER = st.lists(SCALAR | INNER, max_size=3) | st.dictionaries(TEXT, SCALAR | INNER, max_size=3)


@given(st.dictionaries(TEXT, SCALAR | OUTER, max_size=4), st.sampled_from([None, 1, "\t"]))
def test_every_key_and_item_is_found_where_it_stands(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    lines = text.split("\n")

    def check(part: object, path: tuple[str | int, ...]) -> None:
        items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, item in items:
            if len(path) < 8:
                source = document.source(*path, key)
                shown = key if isinstance(part, dict) else item
                start = json.dumps(shown, indent=indent, ensure_ascii=False)[:1]
                assert source.line is not None
                assert source.column is not None
                assert lines[source.line - 1][source.column - 1] == start
                check(item, (*path, key))

    document = parse(text, Scope.USER)
    assert document.value == value
    check(value, ())


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_settings_or_a_settings_error(data: bytes) -> None:
    try:
        value = parse(data, Scope.USER).value
    except SettingsError as error:
        value = {"line": error.line, "column": error.column}
    assert isinstance(value, dict)
