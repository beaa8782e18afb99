from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recording import call_id, prompt, read_all, result, use, write

from toolaudit.transcripts import FileRead, Problem, RecordedCall, Trouble
from toolaudit.transcripts.lines import LIMIT, Lines
from toolaudit.transcripts.reading import read

WHOLE = json.dumps(use(2)).encode()
SNAPSHOT = b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}'
NESTED = b'{"type":"user","sessionId":"s","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

DAMAGE = [
    # id, the damaged line, the troubles it is named with, whether the call in it is saved
    ("two records on one line", WHOLE + SNAPSHOT, [Trouble.SPLICED], True),
    ("the same, the other way round", SNAPSHOT + WHOLE, [Trouble.SPLICED], True),
    ("a cut record, then a whole one", WHOLE[:150] + WHOLE, [Trouble.SPLICED], True),
    ("a whole record, then a cut one", WHOLE + WHOLE[:150], [Trouble.SPLICED], True),
    ("a cut record alone", WHOLE[:-40], [Trouble.MALFORMED], False),
    ("a cut record that holds whole parts", WHOLE[:-3], [Trouble.MALFORMED], False),
    ("text after a record", WHOLE + b" oops", [Trouble.SPLICED], True),
    ("NUL bytes before", b"\0" * 900 + WHOLE, [Trouble.NUL_BYTES], True),
    ("only NUL bytes", b"\0" * 900, [Trouble.NUL_BYTES], False),
    ("a lone surrogate", WHOLE.replace(b"git status", b"git \\ud83d status"), [Trouble.SURROGATE], True),
    ("bytes that are no UTF-8", WHOLE.replace(b"git status", b"git \xff\xfe"), [Trouble.BAD_UTF8], True),
    ("a comment", b"// Source: somewhere", [Trouble.COMMENT], False),
    ("an invalid escape", WHOLE.replace(b"git status", b"git\\d"), [Trouble.MALFORMED], False),
    ("a raw control character", WHOLE.replace(b"git status", b"git \x01"), [Trouble.MALFORMED], False),
    ("a list", b"[1, 2]", [Trouble.BAD_SHAPE], False),
    ("a number", b"12", [Trouble.BAD_SHAPE], False),
    (
        "a message that is a list of blocks",
        WHOLE.replace(b'"content"', b'"content":{"a":1},"x"'),
        [Trouble.BAD_SHAPE],
        False,
    ),
    ("too many brackets", NESTED, [Trouble.TOO_DEEP], False),
    ("no JSON at all", b"Segmentation fault", [Trouble.MALFORMED], False),
]


@pytest.mark.parametrize(("line", "troubles", "saved"), [case[1:] for case in DAMAGE], ids=[case[0] for case in DAMAGE])
def test_damage_is_named_and_the_rest_goes_on(
    tmp_path: Path, line: bytes, troubles: list[Trouble], saved: bool
) -> None:
    file = write(tmp_path / "s.jsonl", use(1), line, result(1), use(3), result(3))
    calls, problems = read_all(file)
    assert [(p.trouble, p.file, p.line) for p in problems] == [(trouble, str(file), 2) for trouble in troubles]
    assert [c.call.id for c in calls] == [call_id(n) for n in ((1, 3, 2) if saved else (1, 3))]
    assert all("git" in c.call.input["command"] for c in calls)
    assert all(c.call.input["command"].encode() for c in calls), "text can be written as UTF-8"


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\u000c"], ids=["U+2028", "U+0085", "form feed, escaped"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, separator: str) -> None:
    text = json.dumps(use(1, f"echo{separator}x"), ensure_ascii=separator == "\u000c")
    calls, problems = read_all(write(tmp_path / "s.jsonl", text, result(1)))
    assert problems == []
    assert calls[0].call.input["command"] == f"echo{separator}x"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(json.dumps(use(1)) + "\r\n\r\n" + json.dumps(result(1)) + "\r\n", 1, id="CRLF and blank lines"),
        pytest.param("\ufeff" + json.dumps(use(1)) + "\n" + json.dumps(result(1)), 1, id="BOM, no last newline"),
        pytest.param("\n\n" + json.dumps(use(1)) + "\n" + json.dumps(result(1)), 3, id="blank lines before"),
    ],
)
def test_what_is_no_damage(tmp_path: Path, content: str, line: int) -> None:
    (tmp_path / "s.jsonl").write_text(content, newline="")
    calls, problems = read_all(tmp_path)
    assert problems == []
    assert [c.line for c in calls] == [line]


def test_a_last_line_still_being_written_is_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(json.dumps(use(1)).encode() + b"\n" + WHOLE[:-40])
    calls, problems = read_all(file)
    assert [(p.trouble, p.line) for p in problems] == [(Trouble.TRUNCATED, 2)]
    assert len(calls) == 1


class _Endless:
    """A stream of one line of `size` bytes between two ordinary ones, that is never held whole."""

    def __init__(self, before: bytes, size: int, after: bytes) -> None:
        self._parts = iter([before, *[b"x" * (1 << 20)] * (size >> 20), b"\n", after])
        self._rest = b""

    def readline(self, limit: int) -> bytes:
        taken, room = [], limit
        while room:
            if not self._rest:
                self._rest = next(self._parts, b"")
                if not self._rest:
                    break
            end = self._rest.find(b"\n") + 1 or len(self._rest)
            piece = self._rest[: min(end, room)]
            self._rest = self._rest[len(piece) :]
            taken.append(piece)
            room -= len(piece)
            if piece.endswith(b"\n"):
                break
        return b"".join(taken)


def test_a_line_of_100_mb_is_skipped_in_bounded_memory() -> None:
    tracemalloc.start()
    try:
        lines = list(Lines(_Endless(b"{}\n", 100 << 20, b"{}\n"), "s.jsonl"))  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lines == [
        b"{}\n",
        Problem(Trouble.TOO_LONG, "104,857,601 bytes, more than 16,777,216", "s.jsonl", 2),
        b"{}\n",
    ]
    assert peak < 3 * LIMIT


def test_a_command_of_10_mb_is_a_call(tmp_path: Path) -> None:
    calls, problems = read_all(write(tmp_path / "s.jsonl", use(1, "echo " + "x" * (10 << 20)), result(1)))
    assert problems == []
    assert len(calls[0].call.input["command"]) == 5 + (10 << 20)


def _session(calls: int) -> Iterator[bytes]:
    for number in range(calls):
        for line in (prompt("x" * 2000), use(number, f"echo {number}"), result(number, "y" * 3000)):
            yield json.dumps(line).encode() + b"\n"


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    peaks = []
    for calls in (300, 3000):
        file = tmp_path / f"{calls}.jsonl"
        with file.open("wb") as out:
            out.writelines(_session(calls))
        tracemalloc.start()
        try:
            assert sum(type(event) is RecordedCall for event in read([str(file)])) == calls
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert (tmp_path / "3000.jsonl").stat().st_size > 17_000_000
    assert peaks[1] < 1.2 * peaks[0] + 64 * 3000, "some bytes for each id that was seen, nothing else"


@pytest.mark.parametrize("how", ["named .gz", "named otherwise"])
def test_gzip_is_known_by_its_content(tmp_path: Path, how: str) -> None:
    packed = gzip.compress(json.dumps(use(1)).encode() + b"\n" + json.dumps(result(1)).encode() + b"\n")
    (tmp_path / ("s.jsonl.gz" if how == "named .gz" else "s.jsonl")).write_bytes(packed)
    calls, problems = read_all(tmp_path)
    assert (len(calls), problems) == (1, [])


def test_a_cut_archive_gives_what_it_has_and_is_named(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(_session(200)))
    file = tmp_path / "s.jsonl.gz"
    file.write_bytes(packed[: len(packed) // 2])
    calls, problems = read_all(file)
    assert calls
    assert problems[-1].trouble is Trouble.UNREADABLE


def test_paths_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "sub.jsonl").mkdir()
    (tmp_path / "broken.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "strange.jsonl").write_text('{"timestamp":"t","type":"strange","payload":{}}\n')
    (tmp_path / "other.jsonl").write_text('{"kind":"note","message":"hello"}\n' * 3)
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty.jsonl").write_text("")
    _, problems = read_all(tmp_path, tmp_path / "none-*.jsonl")
    assert {(p.trouble, Path(p.file).name) for p in problems} == {
        (Trouble.UNREADABLE, "broken.jsonl"),
        (Trouble.UNRECOGNISED, "strange.jsonl"),
        (Trouble.UNRECOGNISED, "other.jsonl"),
        (Trouble.LEFT_OUT, "notes.txt"),
        (Trouble.NO_MATCH, "none-*.jsonl"),
    }


def test_a_file_is_read_once_however_often_it_is_named(tmp_path: Path) -> None:
    file = write(tmp_path / "s[1].jsonl", use(1), result(1))
    (tmp_path / "link.jsonl").symlink_to(file)
    (tmp_path / "loop").symlink_to(tmp_path)
    events = list(read([str(tmp_path), str(file), f"{tmp_path}/*.jsonl"]))
    assert [type(event) for event in events].count(FileRead) == 1


def test_an_empty_file_is_read_and_empty(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").touch()
    assert list(read([str(tmp_path)])) == [FileRead(str(tmp_path / "s.jsonl"), "empty", 0, 0)]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_line_however_broken_ends_the_reading(data: st.DataObject) -> None:
    whole = b"\n".join(json.dumps(line).encode() for line in (prompt(), use(1), result(1), use(2), result(2)))
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(broken) - 1))
        edit = data.draw(st.sampled_from(["flip", "cut", "double", "nul"]))
        if edit == "flip":
            broken[at] = data.draw(st.integers(0, 255))
        elif edit == "cut":
            del broken[at : at + data.draw(st.integers(1, 60))]
        elif edit == "double":
            broken[at:at] = broken[at : at + 200]
        else:
            broken[at:at] = b"\0" * 5
        if not broken:
            break
    from toolaudit.transcripts.claude_code import read as read_file

    lines = bytes(broken).splitlines(keepends=True)
    events = list(read_file(lines, "s.jsonl"))
    assert all(isinstance(event, RecordedCall | Problem) for event in events)
