"""Edit, MultiEdit, Write and NotebookEdit: every row measured against the client, or named by the documents."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_that
from hypothesis import strategies as st

from tests.tools.builtin.conftest import Bench
from toolaudit.model.versions import NEWEST, Version
from toolaudit.structs import replace
from toolaudit.tools.builtin import edit, multi_edit, notebook_edit, read, write
from toolaudit.tools.effects import edits

EDIT, WRITE = edit.TOOL, write.TOOL


def changed(bench: Bench, path: str, old: str, new: str, **more: Any) -> bytes:
    bench.run(read.TOOL, file_path=path)
    bench.run(EDIT, file_path=path, old_string=old, new_string=new, **more)
    return Path(path).read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "old", "new", "after"),
    [
        ("a.txt", "one\ntwo\n", "one", "1", "1\ntwo\n"),
        ("a.txt", "a\r\nb\r\nc", "a\nb", "A\nB", "A\r\nB\r\nc"),
        ("a.txt", "a\r\nb\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n"),
        ("a.txt", b"\xff\xfea\0b\0\n\0", "ab", "cd", b"\xff\xfec\0d\0\n\0"),
        ("a.txt", "\ufeffa\n", "a", "b", "\ufeffb\n"),
        ("a.txt", "one\ntwo\nthree\n", "two", "", "one\nthree\n"),
        ("a.txt", "x one x\n", "one", "", "x  x\n"),
        ("a.py", "a = 1\n", "a = 1", "a = 2  \nb = 3 ", "a = 2\nb = 3\n"),
        ("a.md", "a\n", "a", "b  \nc", "b  \nc\n"),
        ("a.mdx", "a\n", "a", "b  \nc", "b  \nc\n"),
        ("a.txt", "foo\n", "foo", "$& \\1", "$& \\1\n"),
        (
            "a.txt",
            "“hi” and ‘x’ don’t\n",
            "\"hi\" and 'x' don't",
            '"yo" and \'y\' can\'t "z"',
            "“yo” and ‘y’ can’t “z”\n",
        ),
        ("a.txt", "it’s\n", "it's", "\"q\" it's ('z') 'x'y\"", '"q" it’s (‘z’) ‘x’y"\n'),
        ("a.txt", "“a” (“b”)\n", '"a" ("b")', '\'a\' "b" d"e', "'a' “b” d”e\n"),
        ("a.txt", 'plain "q"\n', "“q”", "“s”", "plain “s”\n"),
        ("empty.txt", "", "", "filled", "filled"),
    ],
    ids=[
        *("plain", "CRLF", "mixed line ends", "UTF-16", "mark", "a whole line goes", "a part of a line goes", "blanks"),
        *("blanks in Markdown", "blanks in MDX", "no patterns", "quotes", "single quotes", "double quotes"),
        *("curly for straight", "an empty file"),
    ],
)
def test_edit(bench: Bench, name: str, content: str | bytes, old: str, new: str, after: str | bytes) -> None:
    wanted = after if isinstance(after, bytes) else after.encode()
    assert changed(bench, bench.file(name, content), old, new) == wanted


@pytest.mark.parametrize(
    ("content", "old", "after"),
    [
        ("aa\naa\nbb\n", "aa", "bb\n"),
        ("x one\nx one\n", " one", "xx"),
        ("x one\nx one y\nx one\n", " one", "xx one y\nx"),
    ],
)
def test_everywhere_nothing_takes_line_ends_with_it(bench: Bench, content: str, old: str, after: str) -> None:
    assert changed(bench, bench.file("a.txt", content), old, "", replace_all=True) == after.encode()


@pytest.mark.parametrize(
    ("content", "old", "code"),
    [
        ("aa\naa\n", "aa", "not_unique"),
        ("aa\n", "zz", "not_found"),
        ("foo  \nbar\n", "foo\nbar", "not_found"),
        ("a & b\n", "a &amp; b", "not_found"),
        ("text", "", "file_exists"),
        (b"caf\xe9 x\n", "x", "legacy_encoding"),
        (b"a\0b", "a", "binary_file"),
    ],
)
def test_edits_that_do_not_apply(bench: Bench, content: str | bytes, old: str, code: str) -> None:
    path = bench.file("a.txt", content)
    bench.run(read.TOOL, file_path=path)
    assert bench.fail(EDIT, file_path=path, old_string=old, new_string="q").code == code
    assert Path(path).read_bytes() == (content if isinstance(content, bytes) else content.encode())


def test_the_same_text_is_no_edit(bench: Bench) -> None:
    path = bench.file("a.txt", "x")
    assert bench.fail(EDIT, file_path=path, old_string="x", new_string="x").code == "no_change"


def test_older_edits_ignore_blanks_at_line_ends(bench: Bench) -> None:
    bench.set_version("2.1.200")
    assert changed(bench, bench.file("a.txt", "foo  \nbar\t\n"), "foo\nbar", "x") == b"x\t\n"


def test_a_file_must_be_read_before(bench: Bench) -> None:
    path = bench.file("a.txt", "one\n")
    assert bench.fail(EDIT, file_path=path, old_string="one", new_string="1").code == "unread"
    assert bench.fail(WRITE, file_path=path, content="1").code == "unread"
    assert EDIT.validate_input(edit.EditInput(file_path=path, old_string="one", new_string="1"), bench.context)
    assert WRITE.validate_input(write.WriteInput(file_path=path, content="1"), bench.context)
    assert changed(bench, path, "one", "1") == b"1\n"


def test_what_may_be_read_counts_as_read(bench: Bench) -> None:
    class Everything:
        def readable(self, path: str) -> bool:
            return path == str(bench.root / "a.txt")

        def hidden(self, path: str) -> bool:
            return False

    bench.context = replace(bench.context, permissions=replace(bench.context.permissions, access=Everything()))
    bench.run(EDIT, file_path=bench.file("a.txt", "one\n"), old_string="one", new_string="1")
    assert bench.fail(EDIT, file_path=bench.file("b.txt", "one\n"), old_string="one", new_string="1").code == "unread"


def touch(path: str, content: str) -> None:
    """Another hand writes the file, later."""
    Path(path).write_text(content)
    later = Path(path).stat().st_mtime + 5
    os.utime(path, (later, later))


def test_a_stale_file(bench: Bench) -> None:
    path = bench.file("a.txt", "one\ntwo\n")
    bench.run(read.TOOL, file_path=path)
    touch(path, "one\ntwo\none\n")
    assert bench.fail(EDIT, file_path=path, old_string="one", new_string="1").code == "stale"
    assert bench.fail(WRITE, file_path=path, content="w").code == "stale"
    assert "had been modified on disk" in bench.run(EDIT, file_path=path, old_string="two", new_string="2")
    assert Path(path).read_text() == "one\n2\none\n"
    assert "modified on disk" not in bench.run(EDIT, file_path=path, old_string="2", new_string="3")


def test_a_stale_file_was_once_always_refused(bench: Bench) -> None:
    bench.set_version("2.1.207")
    path = bench.file("a.txt", "one\n")
    bench.run(read.TOOL, file_path=path)
    touch(path, "one\ntwo\n")
    assert bench.fail(EDIT, file_path=path, old_string="one", new_string="1").code == "stale"


def test_a_new_time_alone_makes_a_file_stale_only_where_it_was_read_in_part(bench: Bench) -> None:
    path = bench.file("a.txt", "one\ntwo\n")
    bench.run(read.TOOL, file_path=path)
    touch(path, "one\ntwo\n")
    bench.run(WRITE, file_path=path, content="one\ntwo\n")
    bench.run(read.TOOL, file_path=path, limit=1)
    touch(path, "one\ntwo\n")
    assert bench.fail(WRITE, file_path=path, content="x").code == "stale"


def test_new_files_in_new_folders(bench: Bench) -> None:
    bench.run(EDIT, file_path="new/deep/a.txt", old_string="", new_string="made\n")
    bench.run(WRITE, file_path="~/b.txt", content="b  \n")
    assert (bench.root / "new/deep/a.txt").read_text() == "made\n"
    assert (bench.root.parent / "home/b.txt").read_text() == "b\n"
    assert bench.fail(EDIT, file_path="nothere", old_string="a", new_string="b").code == "ENOENT"
    assert bench.fail(WRITE, file_path="new", content="").code == "EISDIR"


def test_writing_over_a_file_keeps_mode_and_encoding_and_takes_the_new_line_ends(bench: Bench) -> None:
    path = bench.file("a.txt", b"\xff\xfea\0\r\0\n\0")
    Path(path).chmod(0o600)
    bench.run(read.TOOL, file_path=path)
    assert bench.run(WRITE, file_path=path, content="z\n") == f"The file {path} has been updated successfully."
    assert Path(path).read_bytes() == b"\xff\xfez\0\n\0"
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


@pytest.mark.parametrize("tool", [EDIT, WRITE], ids=["Edit", "Write"])
def test_no_write_leaves_the_working_directory_through_a_link(bench: Bench, tool: Any) -> None:
    outside = bench.root.parent / "outside"
    outside.mkdir()
    (bench.root / "link").symlink_to(outside)
    given = {"content": "x"} if tool is WRITE else {"old_string": "", "new_string": "x"}
    assert bench.fail(tool, file_path="link/a.txt", **given).code == "link_out"
    assert not list(outside.iterdir())


def test_several_edits_apply_all_or_none(bench: Bench) -> None:
    path = bench.file("a.txt", "one\ntwo\n")
    bench.run(read.TOOL, file_path=path)
    first, second = {"old_string": "one", "new_string": "1"}, {"old_string": "zz", "new_string": "2"}
    assert bench.fail(multi_edit.TOOL, file_path=path, edits=[first, second]).code == "not_found"
    assert Path(path).read_text() == "one\ntwo\n"
    bench.run(multi_edit.TOOL, file_path=path, edits=[first, {"old_string": "1\ntwo", "new_string": "2"}])
    assert Path(path).read_text() == "2\n"


CELLS = [
    {"cell_type": "markdown", "id": "c1", "metadata": {"k": 1}, "source": ["# hi\n", "there"]},
    {"cell_type": "code", "id": "c2", "metadata": {}, "execution_count": 1, "source": "print(1)", "outputs": []},
]


def notebook(bench: Bench, minor: int = 5) -> str:
    cells = CELLS if minor >= 5 else [{k: v for k, v in cell.items() if k != "id"} for cell in CELLS]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": minor})
    path = bench.file("n.ipynb", text)
    bench.run(read.TOOL, file_path=path)
    return path


def cells(path: str) -> list[tuple[str, str]]:
    found = json.loads(Path(path).read_text())["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


@pytest.mark.parametrize(
    ("given", "after"),
    [
        ({"cell_id": "c2"}, [("markdown", "# hi\nthere"), ("code", "new")]),
        ({"cell_id": "cell-1"}, [("markdown", "# hi\nthere"), ("code", "new")]),
        ({"cell_id": "c2", "cell_type": "markdown"}, [("markdown", "# hi\nthere"), ("markdown", "new")]),
        (
            {"cell_id": "c1", "edit_mode": "insert", "cell_type": "code"},
            [("markdown", "# hi\nthere"), ("code", "new"), ("code", "print(1)")],
        ),
        (
            {"edit_mode": "insert", "cell_type": "markdown"},
            [("markdown", "new"), ("markdown", "# hi\nthere"), ("code", "print(1)")],
        ),
        ({"cell_id": "c1", "edit_mode": "delete"}, [("code", "print(1)")]),
    ],
    ids=["replace", "by index", "other type", "insert after", "insert first", "delete"],
)
@pytest.mark.parametrize("minor", [4, 5])
def test_notebook_edit(bench: Bench, given: dict[str, str], after: list[tuple[str, str]], minor: int) -> None:
    path = notebook(bench, minor)
    if minor < 5 and "cell_id" in given:
        given = {**given, "cell_id": {"c1": "cell-0", "c2": "cell-1"}.get(given["cell_id"], given["cell_id"])}
    bench.run(notebook_edit.TOOL, notebook_path=path, new_source="new", **given)
    assert cells(path) == after


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"cell_id": "zz"}, "no_such_cell"),
        ({"edit_mode": "insert"}, "no_cell_type"),
        ({}, "no_cell_id"),
        ({"edit_mode": "delete"}, "no_cell_id"),
    ],
)
def test_notebook_edits_that_do_not_apply(bench: Bench, given: dict[str, str], code: str) -> None:
    path = notebook(bench)
    assert bench.fail(notebook_edit.TOOL, notebook_path=path, new_source="new", **given).code == code


def test_notebooks_are_read_before_and_not_stale(bench: Bench) -> None:
    path = notebook(bench)
    touch(path, Path(path).read_text().replace("there", "THERE"))
    assert bench.fail(notebook_edit.TOOL, notebook_path=path, new_source="x", cell_id="c1").code == "stale"
    other = bench.file("o.ipynb", "{}")
    assert bench.fail(notebook_edit.TOOL, notebook_path=other, new_source="x", cell_id="c1").code == "unread"
    assert bench.fail(EDIT, file_path=path, old_string="x", new_string="y").code == "notebook"


words = st.text(st.sampled_from("ab \t\n'\"\u2019\u201c"), max_size=12)


@given_that(words, words.filter(bool), words, words, st.sampled_from([NEWEST, Version(2, 1, 0)]))
def test_an_edit_changes_only_what_it_found(before: str, old: str, after: str, new: str, version: Version) -> None:
    text = before + old + after
    found = edits.find(text, old, version)
    assert found is not None
    assert found.text in text
    put = new if found.text == old else edits.curl(new, found.text)
    possible = {
        text[:at] + put + text[at + len(gone) :]
        for gone in (found.text, found.text + "\n" * (not new))
        for at in range(len(text))
        if text.startswith(gone, at)
    }
    assert edits.replace(text, found, old, new) in possible
