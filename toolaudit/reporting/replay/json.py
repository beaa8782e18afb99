"""The whole report as one JSON object. Text is escaped to ASCII, so that nothing in it can act on a terminal."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import TextIO

from toolaudit.replay import Replay, Report
from toolaudit.reporting.replay.objects import cleaned, report_object


def write(replay: Replay, stream: TextIO, clean: Callable[[str], str]) -> Report:
    """Run `replay` to its end and write its report, each string in it passed through `clean`."""
    deque(replay, maxlen=0)
    report = replay.report()
    json.dump(cleaned(report_object(report), clean), stream, indent=2)
    stream.write("\n")
    return report
