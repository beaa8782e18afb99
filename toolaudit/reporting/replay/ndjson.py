"""One JSON object a line as the replay goes on: a line a call, a problem or a file, and the report as the last one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TextIO

from toolaudit.replay import Record, Replay, Report
from toolaudit.reporting.replay.objects import cleaned, file_object, problem_object, record_object, report_object
from toolaudit.transcripts import FileRead


def write(replay: Replay, stream: TextIO, clean: Callable[[str], str]) -> Report:
    """Run `replay`, writing each event when it comes; text is escaped to ASCII and passed through `clean`."""
    encode = json.JSONEncoder(separators=(",", ":"), default=str).encode
    for event in replay:
        if isinstance(event, Record):
            value = record_object(event)
        elif isinstance(event, FileRead):
            value = file_object(event)
        else:
            value = problem_object(event)
        stream.write(encode(cleaned(value, clean)) + "\n")
    report = replay.report()
    stream.write(encode(cleaned(report_object(report), clean)) + "\n")
    return report
