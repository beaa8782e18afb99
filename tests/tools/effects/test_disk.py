"""Files are opened under names that nobody can swap, and written in one step."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.tools.effects import disk, texts
from toolaudit.tools.interface import ToolError


def test_a_file_comes_back_as_it_was_written_with_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_bytes(b"old")
    path.chmod(0o751)
    disk.write(str(path), b"new\r\n")
    assert disk.read(str(path))[0] == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert list(tmp_path.iterdir()) == [path]


def test_missing_directories_are_made(tmp_path: Path) -> None:
    disk.write(f"{tmp_path}/a/b/c.txt", b"x")
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"x"


@pytest.mark.parametrize("verb", [disk.read, lambda path: disk.write(path, b"x")], ids=["read", "write"])
@pytest.mark.parametrize("name", ["link", "folder/file"], ids=["the file is a link", "a directory is a link"])
def test_no_link_is_followed(tmp_path: Path, verb: object, name: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_text("secret")
    (tmp_path / "link").symlink_to("real/file")
    (tmp_path / "folder").symlink_to("real")
    with pytest.raises(ToolError):
        verb(f"{tmp_path}/{name}")  # type: ignore[operator]
    assert (tmp_path / "real/file").read_text() == "secret"


def test_special_files_are_neither_read_nor_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for verb in (disk.read, lambda path: disk.write(path, b"x")):
        with pytest.raises(ToolError, match="no regular file"):
            verb(f"{tmp_path}/pipe")
        with pytest.raises(IsADirectoryError):
            verb(str(tmp_path))


def test_reading_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 11)
    with pytest.raises(ToolError, match="more than 10 bytes"):
        disk.read(f"{tmp_path}/long", 10)


@pytest.mark.parametrize(
    ("data", "text", "exact"),
    [
        (b"a\nb", "a\nb", True),
        (b"a\r\nb\r\n", "a\nb\n", True),
        (b"\xef\xbb\xbfa\r\n", "a\n", True),
        (b"\xff\xfea\0\n\0", "a\n", True),
        (b"caf\xe9\n", "caf\ufffd\n", False),
        (b"", "", True),
    ],
    ids=["plain", "CRLF", "UTF-8 with mark", "UTF-16", "Latin-1", "empty"],
)
def test_texts_are_decoded_and_given_back(data: bytes, text: str, exact: bool) -> None:
    document = texts.decode(data)
    assert (document.text, document.exact) == (text, exact)
    assert not exact or document.encode(document.text) == data


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\ufeff"))), st.booleans())
def test_line_ends_and_encoding_survive(lines: list[str], crlf: bool) -> None:
    data = ("\r\n" if crlf else "\n").join(lines).encode()
    document = texts.decode(data)
    assert document.encode(document.text) == data


def test_mixed_line_ends_become_those_of_the_majority() -> None:
    document = texts.decode(b"a\r\nb\nc\r\n")
    assert document.encode(document.text) == b"a\r\nb\r\nc\r\n"
