"""The number of distinct calls, counted a second time by a counter that shares nothing with the readers.

Written from the format's notes alone: a call is a `tool_use` block with its id, in the message of an assistant line or
of a sub-agent's line inside `agent_progress`; two records may stand on one line; one id is one call, over all files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recording import read_all

from toolaudit.transcripts import FileRead, Trouble
from toolaudit.transcripts.reading import read


def _records(text: str) -> Iterator[Any]:
    for line in text.split("\n"):
        decoder, at = json.JSONDecoder(), 0
        while at < len(line.rstrip()):
            try:
                record, at = decoder.raw_decode(line, at)
            except json.JSONDecodeError:
                break
            yield record


def _blocks(message: Any) -> list[Any]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _ids(records: Iterator[Any]) -> Iterator[str]:
    for record in records:
        if not isinstance(record, dict):
            continue
        messages = [record.get("message")] if record.get("type") in ("assistant", "user") else []
        data = record.get("data")
        if isinstance(data, dict) and data.get("type") == "agent_progress":
            messages.append(data.get("message", {}).get("message"))
        for message in messages:
            yield from (block["id"] for block in _blocks(message) if block.get("type") == "tool_use")


def _document(path: Path) -> Iterator[Any]:
    document = json.loads(path.read_text())
    yield from document.get("loglines", [document])


def test_every_call_of_the_real_recordings_is_found_once(shared: Path) -> None:
    folder = shared / "transcripts" / "claude-code"
    in_lines = {call for path in folder.rglob("*.jsonl") for call in _ids(_records(path.read_text()))}
    in_documents = {call for path in folder.rglob("*.json") for call in _ids(_document(path))}
    assert len(in_lines) > 2000
    calls, _ = read_all(folder)
    found = Counter(call.call.id for call in calls)
    assert set(found) == in_lines | in_documents
    assert set(found.values()) == {1}


def test_lines_alone_give_the_calls_in_lines(shared: Path) -> None:
    folder = shared / "transcripts" / "claude-code"
    paths = sorted(folder.rglob("*.jsonl"))
    expected = {call for path in paths for call in _ids(_records(path.read_text()))}
    calls, _ = read_all(*paths)
    assert {call.call.id for call in calls} == expected
    assert len(calls) == len(expected)


def test_no_line_is_lost_without_a_word(shared: Path) -> None:
    folder = shared / "transcripts" / "claude-code"
    paths = sorted(folder.rglob("*.jsonl"))
    events = list(read(map(str, paths)))
    lines = {event.file: event.lines for event in events if isinstance(event, FileRead)}
    assert lines == {str(path): _line_count(path.read_bytes()) for path in paths}
    bad = sum(_is_bad(line) for path in paths for line in path.read_bytes().split(b"\n") if line.strip())
    damaged = {Trouble.MALFORMED, Trouble.COMMENT, Trouble.SPLICED, Trouble.TRUNCATED}
    assert bad == sum(getattr(event, "trouble", None) in damaged for event in events)
    assert bad > 0


def _line_count(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n"))


def _is_bad(line: bytes) -> bool:
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return True
    return False
