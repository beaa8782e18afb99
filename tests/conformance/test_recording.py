"""Recordings on disk, and what changed between two of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.conformance.changes import changes
from toolaudit.conformance.live import Record, Recording, read_records


def record(name: str, decision: str = "allow", reason_type: str | None = None) -> Record:
    return Record(name, decision, reason_type, None, "1")


def names(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_records_are_on_disk_at_once_and_end_in_the_order_of_the_cases(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    recording = Recording(path)
    recording.add([record("c"), record("b")])
    assert names(path) == ["c", "b"]
    again = Recording(path)
    again.add([record("x"), record("a")])
    again.sort("abc")
    assert names(path) == ["x", "a", "b", "c"]
    assert read_records(path) == again.records
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_versions_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    recording = Recording(path)
    recording.expect("2")
    recording.add([record("a")])
    Recording(path).expect("1")
    with pytest.raises(ValueError, match=r"out\.jsonl: expected decisions of 2, got some of 1"):
        Recording(path).expect("2")


def test_a_recording_can_do_without_a_file() -> None:
    recording = Recording(None)
    recording.add([record("a")])
    recording.sort("a")
    assert list(recording.records) == ["a"]


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1, "decision": "allow"}', '{"id": "a"}', "[" * 100_000])
def test_a_line_that_is_no_record_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(record("a").line() + line)
    with pytest.raises(ValueError, match=r"out\.jsonl:2: expected a record"):
        read_records(path)


def test_changes() -> None:
    before = {name: record(name) for name in ("same", "tighter", "reason", "silent", "gone")}
    after = {
        **before,
        "tighter": record("tighter", "ask", "other"),
        "reason": record("reason", "allow", "mode"),
        "silent": record("silent", "none"),
        "new": record("new"),
    }
    del after["gone"]
    found = changes(before, after)
    assert [change.kind for change in found.decisions] == [("allow", "ask")]
    assert [change.after.id for change in found.reasons] == ["reason"]
    assert (found.compared, found.unanswered, found.only_before, found.only_after) == (3, 1, 1, 1)
