"""What a session foretells of files: an edit leaves in it what the tool would leave on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.model import ToolCall
from toolaudit.tools.builtin import edit, read, write
from toolaudit.tools.session import Session

EDITS = [
    ("a.txt", "one two one\n", {"old_string": "two", "new_string": "2  "}),
    ("a.txt", "one two one\n", {"old_string": "one", "new_string": "1", "replace_all": True}),
    ("a.txt", "a\r\nb\r\n", {"old_string": "a\nb", "new_string": "c"}),
    ("a.txt", "“hi” there\n", {"old_string": '"hi"', "new_string": '"yo"'}),
    ("a.txt", "x\ny\n", {"old_string": "x", "new_string": ""}),
    ("a.md", "x\n", {"old_string": "x", "new_string": "y  "}),
    ("new.txt", None, {"old_string": "", "new_string": "made \n"}),
]


@pytest.mark.parametrize(("name", "text", "given"), EDITS, ids=lambda value: str(value)[:40])
def test_an_edit(bench: Bench, name: str, text: str | None, given: dict[str, Any]) -> None:
    path = bench.file(name, text) if text is not None else str(bench.root / name)
    session = Session(bench.context.permissions.workspace)
    if text is not None:
        bench.run(read.TOOL, file_path=path)
    session.record(ToolCall("Edit", {"file_path": path, **given}), path)
    bench.run(edit.TOOL, file_path=path, **given)
    assert session.text(path) == Path(path).read_text()


def test_a_write(bench: Bench) -> None:
    path = str(bench.root / "a.txt")
    session = Session(bench.context.permissions.workspace)
    session.record(ToolCall("Write", {"file_path": path, "content": "one  \ntwo"}), path)
    bench.run(write.TOOL, file_path=path, content="one  \ntwo")
    assert session.text(path) == Path(path).read_text() == "one\ntwo"
