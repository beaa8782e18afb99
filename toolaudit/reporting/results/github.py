"""Annotations for GitHub Actions, and the job's summary.

GitHub shows about ten annotations of a level for a step, so the first ten of each are written and the rest counted; the
summary, where `GITHUB_STEP_SUMMARY` names its file, has them all.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from pathlib import Path
from typing import Final, TextIO

from toolaudit.model import Severity
from toolaudit.reporting.results import markdown
from toolaudit.reporting.results.model import Result, Results
from toolaudit.reporting.text import plain

SHOWN: Final = 10
SUMMARY_BYTES: Final = 1 << 20
"""GitHub takes no more for one step."""

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def write(results: Results, stream: TextIO) -> None:
    shown: Counter[Severity] = Counter()
    for result in results.bad():
        shown[result.severity] += 1
        if shown[result.severity] <= SHOWN:
            print(_annotation(result), file=stream)
    for severity, count in shown.items():
        if count > SHOWN:
            print(f"::notice::{count - SHOWN:,} more of level {_LEVELS[severity]}, in the summary", file=stream)
    print(f"toolaudit {results.verb}: {results.headline()}", file=stream)
    for line in results.summary:
        print(plain(line), file=stream)
    _append_summary(results)


def _annotation(result: Result) -> str:
    fields = {"title": f"{result.check}: {plain(result.name)}"}
    if result.place is not None:
        fields = {
            "file": plain(result.place.file),
            **({"line": str(result.place.line)} if result.place.line else {}),
            **({"col": str(result.place.column)} if result.place.column else {}),
            **fields,
        }
    told = "\n".join(plain(part) for part in (result.message, result.subject, result.help) if part)
    properties = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
    return f"::{_LEVELS[result.severity]} {properties}::{_data(told)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _append_summary(results: Results) -> None:
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    text = io.StringIO()
    markdown.write(results, text)
    data = text.getvalue().encode("utf-8", "backslashreplace")
    if len(data) >= SUMMARY_BYTES:
        cut = b"\n\nThe rest is left out: a summary has at most 1 MiB.\n"
        data = data[: SUMMARY_BYTES - len(cut) - 4].decode("utf-8", "ignore").encode() + cut
    with Path(path).open("ab") as stream:
        stream.write(data)
