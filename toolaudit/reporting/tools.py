"""The pool of tools for a person, or as JSON (schema 1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TextIO

from toolaudit.model import Mode, Rule
from toolaudit.reporting.text import Paint, plain
from toolaudit.tools.listing import Row

SCHEMA = 1
"""Raised when a key changes its meaning or goes; new keys do not raise it."""

_HEADS = ("name", "source", "model sees", "reads only", "side by side", "result limit", "before a call runs")


def write_table(rows: Sequence[Row], mode: Mode, mode_why: str, stream: TextIO, *, title: str) -> None:
    """The tools the model sees, then those it does not, with the place of the rule that took each one out."""
    paint = Paint(stream)
    shown = [row for row in rows if row.removed is None]
    gone = [row for row in rows if row.removed is not None]
    head = f"{len(shown)} of {len(rows)} tools under {plain(title)}, mode {mode} ({plain(mode_why)})"
    lines = [paint(head, bold=True), ""]
    table = [_HEADS, *(_cells(row) for row in shown)]
    widths = [max(len(cells[index]) for cells in table) for index in range(len(_HEADS))]
    for number, cells in enumerate(table):
        text = "  ".join(
            cell.rjust(width) if index == 5 else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()
        lines.append(paint(text, "dim") if number == 0 or not shown[number - 1].runs else text)
    if any(not row.runs for row in shown):
        lines += ["", paint("dim: the tool's calls are decided here, and not carried out", "dim")]
    if gone:
        width = max(len(row.name) for row in gone)
        lines += ["", paint("not in the pool", bold=True)]
        lines += [f"{plain(row.name).ljust(width)}  {_reason(row.removed, paint)}" for row in gone]
    stream.write("\n".join(lines) + "\n")


def write_json(rows: Sequence[Row], mode: Mode, mode_why: str, stream: TextIO) -> None:
    """One object with every tool, those that were taken out included."""
    report = {"schema": SCHEMA, "mode": mode, "mode_reason": mode_why, "tools": [_object(row) for row in rows]}
    stream.write(json.dumps(report, indent=2) + "\n")


def _cells(row: Row) -> tuple[str, ...]:
    if not row.runs:
        return plain(row.name), row.source, "·", row.read_only or "·", "·", "·", row.before
    sees = "its name" if row.deferred else "its schema"
    limit = "none" if row.result_limit is None else f"{row.result_limit:,}"
    return plain(row.name), plain(row.source), sees, str(row.read_only), str(row.concurrency_safe), limit, row.before


def _reason(removed: Rule | str | None, paint: Paint) -> str:
    if isinstance(removed, Rule):
        return f"{paint('deny', 'red')} {plain(removed.text)}  {paint(plain(str(removed.source)), 'dim')}"
    return plain(str(removed))


def _object(row: Row) -> dict[str, Any]:
    rule = row.removed if isinstance(row.removed, Rule) else None
    return {
        "name": row.name,
        "source": row.source,
        "in_pool": row.removed is None,
        "deferred": row.deferred,
        "read_only": row.read_only,
        "concurrency_safe": row.concurrency_safe,
        "result_limit": row.result_limit,
        "before": row.before,
        "runs": row.runs,
        "removed_by": None if row.removed is None else rule.text if rule is not None else row.removed,
        "rule": None
        if rule is None
        else {
            "text": rule.text,
            "scope": rule.source.scope,
            "file": rule.source.file,
            "line": rule.source.line,
            "column": rule.source.column,
        },
    }
