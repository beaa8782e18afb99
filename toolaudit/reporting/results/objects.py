"""Results as JSON objects. A key changes its meaning or goes only with a new number in `SCHEMA`; new keys may come."""

from __future__ import annotations

from typing import Any, Final

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.reporting.results.model import Place, Result, Results

SCHEMA: Final = "toolaudit/results/v1"


def header(results: Results) -> dict[str, Any]:
    return {"schema": SCHEMA, "toolaudit": __version__, "client": CLIENT_VERSION, "verb": results.verb}


def summary_object(results: Results) -> dict[str, Any]:
    return {"counts": dict(results.counts()), "summary": list(results.summary)}


def result_object(result: Result) -> dict[str, Any]:
    return {
        "check": result.check,
        "name": result.name,
        "status": result.status,
        "severity": result.severity,
        "message": result.message,
        "place": _place(result.place),
        "group": result.group,
        "rule": result.rule or None,
        "subject": result.subject,
        "stage": result.stage or None,
        "help": result.help,
        "details": list(result.details),
        "related": [{"message": message, "place": _place(place)} for message, place in result.related],
        "fingerprint": result.fingerprint,
        "seconds": round(result.seconds, 6),
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}
