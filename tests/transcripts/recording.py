"""Recorded lines in the making: the smallest records that the format's notes allow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toolaudit.transcripts import FileRead, Problem, RecordedCall
from toolaudit.transcripts.reading import read

SESSION = "5e55104e-0000-4000-8000-000000000001"


def call_id(number: int) -> str:
    return f"toolu_01{number:022d}"


def use(number: int = 1, command: str = "git status", *, tool: str = "Bash", **fields: Any) -> dict[str, Any]:
    given = fields.pop("input", {"command": command})
    block = {"type": "tool_use", "id": fields.pop("id", call_id(number)), "name": tool, "input": given}
    return _line("assistant", block, f"a{number}", fields)


def result(number: int = 1, text: Any = "ok", *, error: bool | None = None, **fields: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": fields.pop("id", call_id(number)), "content": text}
    if error is not None:
        block["is_error"] = error
    return _line("user", block, f"r{number}", fields)


def prompt(text: str = "go on", **fields: Any) -> dict[str, Any]:
    return {**_line("user", {}, "p", fields), "message": {"role": "user", "content": text}}


def _line(kind: str, block: dict[str, Any], uuid: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/srv/app",
        "sessionId": SESSION,
        "version": "2.1.205",
        "type": kind,
        "message": {"role": kind, "content": [block]},
        "uuid": uuid,
        "timestamp": "2026-01-02T03:04:05.000Z",
        **fields,
    }


def write(path: Path, *lines: dict[str, Any] | bytes | str) -> Path:
    """A file of these lines; records become JSON, bytes and text stand as they are."""
    with path.open("wb") as out:
        for line in lines:
            data = json.dumps(line, separators=(",", ":")) if isinstance(line, dict) else line
            out.write((data.encode() if isinstance(data, str) else data) + b"\n")
    return path


def read_all(*paths: Path | str) -> tuple[list[RecordedCall], list[Problem]]:
    events = list(read(str(path) for path in paths))
    assert all(isinstance(event, RecordedCall | Problem | FileRead) for event in events)
    return (
        [event for event in events if isinstance(event, RecordedCall)],
        [event for event in events if isinstance(event, Problem)],
    )
