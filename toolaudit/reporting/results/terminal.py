"""Results for a person at a terminal: what is wrong in full, what passed in a line or not at all."""

from __future__ import annotations

import itertools
from typing import TextIO

from toolaudit.model import Severity
from toolaudit.reporting.results.model import Result, Results, Status
from toolaudit.reporting.text import Paint, plain

_COLOURS = {Status.PASSED: "green", Status.FAILED: "red", Status.ERROR: "magenta", Status.SKIPPED: "yellow"}
_SEVERITIES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def write(results: Results, stream: TextIO) -> None:
    paint = Paint(stream)
    for group, members in itertools.groupby(results.results, key=lambda result: result.group):
        shown = [one for one in members if results.passes_matter or one.status is not Status.PASSED]
        if group and shown:
            print(paint(plain(group), bold=True), file=stream)
        for result in shown:
            _result(result, results, paint, stream)
        if shown:
            print(file=stream)
    bad = bool(results.bad())
    print(paint(results.headline(), "red" if bad else "green", bold=True), file=stream)
    for line in results.summary:
        print(plain(line), file=stream)


def _result(result: Result, results: Results, paint: Paint, stream: TextIO) -> None:
    if results.passes_matter:
        word = paint(f"{result.status:7}", _COLOURS[result.status])
        because = f"  ({plain(result.message)})" if result.status is Status.SKIPPED and result.message else ""
        print(f"  {word} {plain(result.name)}{because}", file=stream)
        if result.status in (Status.PASSED, Status.SKIPPED):
            return
    else:
        where = f"{result.place}: " if result.place is not None else ""
        if result.status is Status.SKIPPED:
            print(paint(f"  {plain(where)}{result.check}: {plain(result.message)}", "dim"), file=stream)
            return
        word = paint(result.severity, _SEVERITIES[result.severity])
        print(f"  {plain(where)}{word} {result.check}: {plain(result.message)}", file=stream)
    for line in result.details or ((result.message,) if results.passes_matter else ()):
        print(f"    {plain(line)}", file=stream)
    if result.subject and not results.passes_matter and not result.details:
        print(f"    try   {plain(result.subject)}", file=stream)
    if result.help:
        print(f"    help  {plain(result.help)}", file=stream)
