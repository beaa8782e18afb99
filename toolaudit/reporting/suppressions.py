"""Findings that somebody decided to live with, for a time: `toolaudit.toml`.

    [[suppress]]
    check = "TA023"                       # or untested-rule, mutant-survived, ...
    rule = "Bash(docker compose *)"       # left out: every rule
    file = ".claude/settings.json"        # left out: every file
    reason = "the compose file is reviewed; see the wiki"
    expires = 2027-03-31                  # the last day

A suppressed finding is told as skipped, with the reason. Once it has expired the finding is back, and the suppression
is an error until somebody renews or removes it. One that suppresses nothing is told too. A policy test that fails can't
be suppressed: a test has `skip` for that.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from toolaudit.model import Severity
from toolaudit.reporting.results.model import Check, Place, Result, Results, Status

FILE: Final = "toolaudit.toml"

EXPIRED: Final = Check("expired-suppression", "A suppression whose time is over", "Renew it or remove it.")
UNUSED: Final = Check(
    "unused-suppression", "A suppression that suppresses nothing", "Remove it.", severity=Severity.NOTE
)

_NOT: Final = frozenset({"policy-test", "policy-test-broken", EXPIRED.id, UNUSED.id})
_KEYS: Final = {"check": str, "reason": str, "expires": datetime.date, "rule": str, "file": str}
_REQUIRED: Final = ("check", "reason", "expires")


class SuppressionError(ValueError):
    """A file of suppressions that can't be used; the message has its place."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry: which findings, why, and until when."""

    check: str
    reason: str
    expires: datetime.date
    """The last day on which it counts."""
    place: Place
    rule: str | None = None
    file: str | None = None

    def covers(self, result: Result) -> bool:
        """Whether it speaks of `result`."""
        if result.check != self.check:
            return False
        if self.rule is not None and self.rule not in (result.rule, result.rule.partition(" ")[2]):
            return False
        file = result.place.file if result.place is not None else ""
        return self.file is None or file == self.file or file.endswith(f"/{self.file}")


def read(path: Path) -> tuple[Suppression, ...]:
    """The suppressions in the file at `path`. Raises OSError, and SuppressionError for entries that say too little."""
    import tomllib

    try:
        text = path.read_text(encoding="utf-8")
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SuppressionError(f"{path}: not TOML: {error}") from None
    unknown = sorted(set(value) - {"suppress"})
    if unknown:
        raise SuppressionError(f"{path}: expected [[suppress]] tables, got {unknown[0]!r}")
    entries = value.get("suppress", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise SuppressionError(f"{path}: expected [[suppress]] tables, in double brackets")
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if _is_head(line)]
    # Tables written in line have no head; then the file as a whole is the place.
    places: list[int | None] = [*lines] if len(lines) == len(entries) else [None] * len(entries)
    return tuple(_entry(entry, Place(str(path), line)) for entry, line in zip(entries, places, strict=True))


def _is_head(line: str) -> bool:
    return "".join(line.partition("#")[0].split()) == "[[suppress]]"


def _entry(entry: dict[str, Any], place: Place) -> Suppression:
    for key in _REQUIRED:
        if key not in entry:
            raise SuppressionError(f"{place}: a suppression needs {key!r}")
    for key, value in entry.items():
        if key not in _KEYS:
            raise SuppressionError(f"{place}: there is no key {key!r} here")
        if not isinstance(value, _KEYS[key]) or isinstance(value, datetime.datetime):
            kind = "a date, as 2027-03-31, without quotes" if key == "expires" else "a text"
            raise SuppressionError(f"{place}: expected {key} to be {kind}")
    if not entry["reason"].strip():
        raise SuppressionError(f"{place}: a suppression needs a reason")
    if entry["check"] in _NOT:
        raise SuppressionError(f"{place}: {entry['check']} can't be suppressed; a test may be skipped, with a reason")
    return Suppression(**entry, place=place)


def apply(results: Results, suppressions: Sequence[Suppression], today: datetime.date) -> Results:
    """`results` with what is suppressed on that day set aside, and with what is wrong with the suppressions."""
    used: set[Suppression] = set()
    found = []
    for result in results.results:
        by = next((one for one in suppressions if one.covers(result)), None)
        if by is not None and result.status is Status.FAILED:
            used.add(by)
            if today <= by.expires:
                told = f"suppressed until {by.expires}: {by.reason}"
                result = replace(result, status=Status.SKIPPED, message=told)
        found.append(result)
    found += _faults(suppressions, used, results, today)
    checks = {**results.checks, EXPIRED.id: EXPIRED, UNUSED.id: UNUSED}
    return replace(results, results=found, checks=checks)


def _faults(
    suppressions: Sequence[Suppression], used: set[Suppression], results: Results, today: datetime.date
) -> Iterator[Result]:
    """An unused one is told only where its check was made; one that expired always is."""
    for one in suppressions:
        about = f"{one.check}{f' of {one.rule}' if one.rule is not None else ''}"
        if today > one.expires:
            told = f"the suppression of {about} expired on {one.expires}: {one.reason}"
            yield _fault(EXPIRED, about, told, one, results)
        elif one not in used and one.check in results.checks:
            yield _fault(UNUSED, about, f"the suppression of {about} suppresses nothing", one, results)


def _fault(check: Check, about: str, told: str, one: Suppression, results: Results) -> Result:
    identity = (one.check, one.rule or "", one.file or "")
    return Result(
        check.id,
        about,
        Status.FAILED,
        told,
        check.severity,
        one.place,
        one.place.file,
        help=check.help,
        identity=identity,
        details=(told,) if results.passes_matter else (),
    )
