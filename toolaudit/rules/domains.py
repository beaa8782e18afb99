"""Domain rules: `WebFetch(domain:PATTERN)`, matched against the host of a URL.

    pattern      hosts
    a.example    that host
    *.a.example  every host below it, at any depth, but not a.example itself
    a.*  *a.b    any other `*` is any text within one label
    *            every host

Case does not matter, nor does a dot at the end of host or pattern. Ports, paths and schemes are no part of a pattern,
and it must be in ASCII: a pattern with another letter matches nothing. Sources: documents, 5.1; measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolaudit.model import Rule
from toolaudit.patterns import late

PREFIX = "domain:"


class DomainRules:
    """Domain rules of one behaviour, compiled; any other specifier is no domain rule and matches nothing."""

    __slots__ = ("_exact", "_globs", "_rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._exact: dict[str, int] = {}
        self._globs: list[tuple[int, re.Pattern[str]]] = []
        self._rules = [rule for rule in rules if rule.specifier is not None and rule.specifier.startswith(PREFIX)]
        for place, rule in enumerate(self._rules):
            pattern = (rule.specifier or "")[len(PREFIX) :].lower()
            if "*" in pattern:
                self._globs.append((place, late(_translate(pattern))))
            else:
                self._exact.setdefault(pattern.removesuffix("."), place)

    def find(self, host: str) -> Rule | None:
        """The first rule that matches `host`, which is in lower case."""
        host = host.removesuffix(".")
        place = self._exact.get(host)
        for glob, pattern in self._globs:
            if place is not None and glob > place:
                break
            if pattern.fullmatch(host):
                return self._rules[glob]
        return None if place is None else self._rules[place]


def _translate(pattern: str) -> str:
    if pattern == "*":
        return ".*"
    below = pattern.startswith("*.")
    body = pattern.removeprefix("*.").removesuffix(".")
    return (r".+\." if below else "") + "[^.]*".join(re.escape(part) for part in re.split(r"\*+", body))
