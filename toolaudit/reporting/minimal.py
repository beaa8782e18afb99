from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO

from toolaudit.conformance.minimise import Minimal, Vanished, Verdict, fields
from toolaudit.reporting.text import plain

SHOWN_APART = ("id", "tool", "input")


def write(found: Minimal | Vanished, stream: TextIO) -> None:
    """The smallest case of a disagreement with both reasons; it can be copied into a case file."""
    print(plain(found.original.id), file=stream)
    if isinstance(found, Vanished):
        told = "no answer" if found.theirs is None else _told(found.theirs)
        print("  asked alone, the two agree, or one has no answer: it depends on the calls before", file=stream)
        print(f"  here    {_told(found.ours)}\n  client  {told}", file=stream)
        return
    line = fields(found.case)
    print(f"  {plain(line['tool'])} {_json(line['input'])}", file=stream)
    for name, value in line.items():
        if name not in SHOWN_APART:
            print(f"  {name} {_json(value)}", file=stream)
    print(f"  here    {_told(found.ours)}\n  client  {_told(found.theirs)}", file=stream)


def summary(found: Minimal | Vanished) -> Mapping[str, Any]:
    """A minimised disagreement as a JSON object (schema 1)."""
    sides = {"ours": found.ours, "client": found.theirs}
    told = {
        name: one and {"decision": one.decision, "type": one.reason_type, "reason": one.reason}
        for name, one in sides.items()
    }
    case = fields(found.case) if isinstance(found, Minimal) else None
    return {"id": found.original.id, "case": case, **told}


def _told(verdict: Verdict) -> str:
    return plain(f"{verdict.decision} ({verdict.reason_type or '-'}): {verdict.reason}")


def _json(value: object) -> str:
    return plain(json.dumps(value, ensure_ascii=False))
