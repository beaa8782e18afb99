"""At which of the fourteen steps recorded calls end: a table for a person, or one object a call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TextIO

from toolaudit.replay.steps import Steps, Walked
from toolaudit.reporting.replay.objects import cleaned
from toolaudit.reporting.text import Paint, plain

_BAR = 40
_WIDTH = 100


def write_table(steps: Steps, stream: TextIO, clean: Callable[[str], str], *, title: str) -> None:
    """Runs `steps` to its end and writes where its calls ended, with examples of each end."""
    for _ in steps:
        pass
    paint = Paint(stream)
    lines = [
        f"{paint(f'{steps.calls:,} calls', bold=True)} through the {len(tuple(steps.rows()))} steps under {title}",
        "",
    ]
    lines.append(paint("  #  ended by       calls", "dim"))
    for number, name, calls in steps.rows():
        share = calls / steps.calls if steps.calls else 0.0
        bar = "█" * round(share * _BAR) or ("▏" if calls else "")
        lines.append(f" {number:2}  {name:12} {calls or '·':>7}  {paint(bar, _colour(name))}".rstrip())
    for number, name, calls in steps.rows():
        if calls:
            lines += [
                "",
                paint(f"{number} {name}: {calls:,} {'call' if calls == 1 else 'calls'}", _colour(name), bold=True),
            ]
            lines += [_example(walked, clean, paint) for walked in steps.examples[name]]
    if steps.problems:
        found = ", ".join(f"{count:,} {trouble}" for trouble, count in steps.problems.most_common())
        lines += ["", f"input: {found}"]
    stream.write("\n".join(lines) + "\n")


def write_ndjson(steps: Steps, stream: TextIO, clean: Callable[[str], str]) -> None:
    """Runs `steps` to its end, writing an object a call as it comes, and the counts as the last line."""
    encode = json.JSONEncoder(separators=(",", ":"), default=str).encode
    for walked in steps:
        stream.write(encode(cleaned(call_object(walked), clean)) + "\n")
    stream.write(encode(report_object(steps)) + "\n")


def write_json(steps: Steps, stream: TextIO) -> None:
    """Runs `steps` to its end and writes the counts as one object."""
    for _ in steps:
        pass
    stream.write(json.dumps(report_object(steps), indent=2) + "\n")


def call_object(walked: Walked) -> dict[str, Any]:
    """One call: where it stands, what was recorded, at which step it ended, and what every step said."""
    recorded, outcome = walked.recorded, walked.outcome
    return {
        "type": "call",
        "file": recorded.file,
        "line": recorded.line,
        "id": recorded.call.id,
        "tool": recorded.call.tool,
        "recorded": recorded.outcome,
        "ended_by": outcome.ended_by,
        "why": walked.why,
        "decision": outcome.behavior,
        "error_class": outcome.error_class,
        "steps": [{"step": entry.stage, "note": entry.note, "decision": entry.behavior} for entry in outcome.trace],
    }


def report_object(steps: Steps) -> dict[str, Any]:
    """The calls that ended at each step, and what was wrong with the input."""
    return {
        "type": "steps",
        "calls": steps.calls,
        "steps": [{"number": number, "step": name, "calls": calls} for number, name, calls in steps.rows()],
        "problems": [{"problem": trouble, "total": count} for trouble, count in steps.problems.most_common()],
        "complete": not steps.input_failed,
    }


def _colour(step: str) -> str:
    return "green" if step == "messages" else "yellow" if step == "execution" else "red"


def _example(walked: Walked, clean: Callable[[str], str], paint: Paint) -> str:
    recorded = walked.recorded
    place = plain(clean(f"{PurePath(recorded.file).name}:{recorded.line}"))
    text = plain(clean(f"{recorded.call.tool}: {walked.why}"))
    cut = text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
    return f"     {cut}  {paint(place, 'dim')}"
