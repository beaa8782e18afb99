from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

EXAMPLES = """\
examples:
  toolaudit parse commands.jsonl
  printf '%s\\n' '{"id": 1, "command": "git log | head"}' | toolaudit parse -

A line in is {"id": anything, "command": text}. A line out, in the same order, is
  {"id", "verdict", "reason", "construct", "at", "commands": [{"argv", "span", "context"}]}
verdict is "exact" (every program bash could start is the first word of a command listed) or "too-complex"; then
reason, construct and at (a span) say why, and the commands are a best effort. Spans are byte offsets into the UTF-8
text. In argv a string is a word known before the command runs, null is exactly one word not known, and {"any": true}
is any number of words not known. A bad line makes a line with "error" and its number, "line".

exit codes: 0 every line was read, 1 some were not, 2 wrong usage
"""

MAX_LINE = 16_000_000
"""Bytes. Longer lines are skipped unread, so that memory stays bounded."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("commands", metavar="FILE.jsonl", help="the commands; - reads standard input")


def run(args: argparse.Namespace) -> int:
    bad = 0
    try:
        with _input(args.commands) as stream:
            for record in parsed(stream):
                bad += "error" in record
                sys.stdout.write(json.dumps(record) + "\n")
    except OSError as error:
        print(f"toolaudit parse: {error.filename}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2
    if bad:
        print(f"{bad} lines are no commands; each has a line with its error", file=sys.stderr)
    return 1 if bad else 0


def parsed(stream: IO[bytes]) -> Iterator[dict[str, object]]:
    """One record a line of `stream`: what the reader makes of the command, or what is wrong with the line."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            while not line.endswith(b"\n") and (line := stream.readline(MAX_LINE)):
                pass
            yield {"line": number, "error": f"expected at most {MAX_LINE} bytes a line"}
        elif line.strip():
            yield _record(line, number)


def _record(line: bytes, number: int) -> dict[str, object]:
    from toolaudit.reporting.readings import reading_record
    from toolaudit.shell import read

    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"line": number, "error": f"expected a JSON object: {error}"}
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return {"line": number, "error": 'expected an object with a text under "command"'}
    return {"id": entry.get("id"), **reading_record(read(entry["command"]))}


def _input(path: str) -> IO[bytes]:
    return open(sys.stdin.fileno(), "rb", closefd=False) if path == "-" else Path(path).open("rb")
