"""Markdown for a job's summary or a comment: what is wrong in a table, the details folded."""

from __future__ import annotations

import html
from typing import TextIO

from toolaudit.reporting.results.model import Result, Results, Status
from toolaudit.reporting.text import plain

_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]|~#@"}
"""What has a meaning in Markdown, or makes links of names and numbers."""

_MARKS = {Status.FAILED: "❌", Status.ERROR: "💥", Status.PASSED: "✅", Status.SKIPPED: "⏭️"}


def write(results: Results, stream: TextIO) -> None:
    bad = results.bad()
    print(f"### toolaudit {results.verb}: {results.headline()}\n", file=stream)
    if bad:
        print("| | what | where | rule | |\n|---|---|---|---|---|", file=stream)
        for result in bad:
            place = code(str(result.place)) if result.place is not None else ""
            cells = (_MARKS[result.status], cell(result.name), place, code(result.rule), cell(result.message))
            print(f"| {' | '.join(cells)} |", file=stream)
        print(file=stream)
    for result in bad:
        _details(result, stream)
    for line in results.summary:
        print(f"{cell(line)}  ", file=stream)
    if results.summary:
        print(file=stream)


def _details(result: Result, stream: TextIO) -> None:
    lines = [*result.details, *([f"help: {result.help}"] if result.help else [])]
    if not lines:
        return
    print(f"<details><summary>{html.escape(plain(result.name))}</summary>\n\n<pre>", file=stream)
    for line in lines:
        print(html.escape(plain(line)), file=stream)
    print("</pre>\n</details>\n", file=stream)


def cell(text: str) -> str:
    """`text` in a table's cell, with no markup of its own."""
    return html.escape(plain(text), quote=False).translate(_SIGNS)


def code(text: str) -> str:
    """`text` as code in a table's cell; HTML, because backquotes and bars have no safe form there."""
    if not text:
        return ""
    return f"<code>{cell(text)}</code>"
