"""Ninety inputs that parsers get wrong: what bash ran is listed, or the text is too complex."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from toolaudit.fuzz.holes import covers
from toolaudit.shell import read


def test_nothing_that_bash_ran_is_missing(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "reference" / "bash-misparses.jsonl").open()]
    missing = [
        (row["input"], program)
        for row in rows
        if (reading := read(row["input"])).complexity is None
        for program in row["bash_ran"]
        if not any(covers(command.argv, [word.encode() for word in program]) for command in reading.commands)
    ]
    assert len(rows) == 90
    assert missing == []


def test_strict_is_not_useless(shared: Path) -> None:
    """At least 95 % of the distinct Bash commands of recorded sessions are accepted; of the rest all but what run time
    decides is read."""
    commands = _recorded_commands(shared / "transcripts" / "claude-code")
    readings = [read(command) for command in commands]
    reasons = Counter(reading.complexity.reason for reading in readings if reading.complexity is not None)
    assert len(commands) > 500
    assert reasons.total() <= 0.05 * len(commands), reasons
    assert set(reasons) == {"evaluating-builtin", "unknown-number", "dynamic-command"}
    assert all(reading.exact for reading in readings)


def _recorded_commands(folder: Path) -> set[str]:
    found = set()
    for path in folder.rglob("*.jsonl"):
        for line in path.open(errors="surrogateescape"):
            if '"Bash"' in line:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                found |= set(_commands(entry))
    return found


def _commands(value: object) -> list[str]:
    if isinstance(value, list):
        return [command for item in value for command in _commands(item)]
    if not isinstance(value, dict):
        return []
    given = value.get("input")
    here = []
    if value.get("type") == "tool_use" and value.get("name") == "Bash" and isinstance(given, dict):
        here = [given["command"]] if isinstance(given.get("command"), str) else []
    return here + [command for item in value.values() for command in _commands(item)]
