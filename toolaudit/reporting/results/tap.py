"""Test Anything Protocol, version 14: a line a result, and why in a YAML block beneath it."""

from __future__ import annotations

import json
from typing import TextIO

from toolaudit.reporting.results.model import Result, Results, Status
from toolaudit.reporting.text import plain


def write(results: Results, stream: TextIO) -> None:
    print("TAP version 14", file=stream)
    print(f"1..{len(results.results)}", file=stream)
    for number, result in enumerate(results.results, start=1):
        bad = result.status in (Status.FAILED, Status.ERROR)
        skip = f" # SKIP {_text(result.message)}" if result.status is Status.SKIPPED else ""
        print(f"{'not ok' if bad else 'ok'} {number} - {_text(result.name)}{skip}", file=stream)
        if bad:
            _block(result, stream)
    for line in results.summary:
        print(f"# {plain(line)}", file=stream)


def _block(result: Result, stream: TextIO) -> None:
    fields = {
        "message": result.message,
        "severity": "fail" if result.status is Status.FAILED else "error",
        "check": result.check,
        "at": str(result.place) if result.place is not None else None,
        "rule": result.rule,
        "subject": result.subject,
        "help": result.help,
    }
    print("  ---", file=stream)
    for key, value in fields.items():
        if value:
            # A JSON text is a YAML text too.
            print(f"  {key}: {json.dumps(value)}", file=stream)
    print("  ...", file=stream)


def _text(text: str) -> str:
    return plain(text).replace("\\", "\\\\").replace("#", "\\#")
