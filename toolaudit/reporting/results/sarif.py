"""SARIF 2.1.0, for code scanning: a result for each rule at fault, in the line of the settings file.

Results that agree in their fingerprint (same check, same rule) are told as one, with their number: of a thousand calls
that one rule lets through, the rule is the news. A result without a line gets no region rather than a made-up one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, TextIO
from urllib.parse import quote

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.model import Severity
from toolaudit.reporting.results.model import Check, Place, Result, Results
from toolaudit.reporting.text import plain

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS: Final = 25_000
"""GitHub refuses a run with more."""
MOST_EXAMPLES: Final = 20

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_SCORES: Final = {Severity.ERROR: "8.0", Severity.WARNING: "5.0", Severity.NOTE: "2.0"}


def write(results: Results, stream: TextIO) -> None:
    groups: dict[str, list[Result]] = {}
    for result in results.bad():
        groups.setdefault(result.fingerprint, []).append(result)
    ids = list(dict.fromkeys(group[0].check for group in groups.values()))
    checks = [results.checks.get(one) or Check(one, one) for one in ids]
    run = {
        "tool": {
            "driver": {
                "name": "toolaudit",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": [_rule(check) for check in checks],
                "properties": {"clientVersion": CLIENT_VERSION},
            }
        },
        "automationDetails": {"id": f"toolaudit/{results.verb}/"},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(fingerprint, group, ids.index(group[0].check))
            for fingerprint, group in list(groups.items())[:MOST_RESULTS]
        ],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, stream, indent=2)
    stream.write("\n")


def _rule(check: Check) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": check.id,
        "name": check.id,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.title},
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
        "properties": {"tags": list(check.tags), "security-severity": _SCORES[check.severity]},
    }
    if check.help:
        rule["help"] = {"text": check.help, "markdown": check.help}
    if check.uri is not None:
        rule["helpUri"] = check.uri
    return rule


def _result(fingerprint: str, group: Sequence[Result], index: int) -> dict[str, Any]:
    first = group[0]
    count = f" ({len(group):,} times)" if len(group) > 1 else ""
    told = [f"{plain(first.message)}{count}", *(plain(part) for part in (first.subject, first.help) if part)]
    places = list(dict.fromkeys(one.place for one in group if one.place is not None))
    related = list(dict.fromkeys(pair for one in group for pair in one.related))[:MOST_EXAMPLES]
    found: dict[str, Any] = {
        "ruleId": first.check,
        "ruleIndex": index,
        "level": _LEVELS[first.severity],
        "message": {"text": "\n".join(told)},
        "locations": [{"physicalLocation": _location(place)} for place in places[:1]],
        "partialFingerprints": {"toolaudit/v1": fingerprint},
        "properties": {
            "names": [plain(one.name) for one in group[:MOST_EXAMPLES]],
            "subjects": [plain(one.subject) for one in group[:MOST_EXAMPLES] if one.subject],
            **({"rule": plain(first.rule)} if first.rule else {}),
        },
    }
    if related:
        found["relatedLocations"] = [
            {"id": number, "message": {"text": plain(message)}, "physicalLocation": _location(place)}
            for number, (message, place) in enumerate(related)
        ]
    return found


def _location(place: Place) -> dict[str, Any]:
    location: dict[str, Any] = {
        "artifactLocation": {"uri": quote(place.file.replace("\\", "/").encode("utf-8", "backslashreplace"))}
    }
    if place.line is not None:
        region = {"startLine": place.line}
        if place.column is not None:
            region["startColumn"] = place.column
        location["region"] = region
    return location
