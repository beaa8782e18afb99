"""Ever smaller versions of a case, by delta debugging: of its input, then of the world it is asked in.

A search is a generator: it proposes many cases at once, is told which of them still show what is looked for, and
returns the smallest case it came to. Nothing in it knows what is looked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolaudit.conformance.cases import CWD, HOME, Case

CANDIDATES_MAX = 150
"""In one proposal: as many calls as one client process takes."""

Search = Generator[Sequence[Case], Sequence[bool], Case]
"""Proposes smaller cases, is told which of them still show it, and returns the smallest."""
Remove = Callable[[Case, frozenset[Hashable]], Case]
"""A case without some of its units."""


USUAL: Mapping[str, object] = {"mode": "default", "trusted": True, "start": CWD, "git": True}
"""The plain circumstances, in the order in which they are tried."""


def size(case: Case) -> tuple[int, int, int]:
    """How much there is to read: the world with its unusual circumstances, then the input."""
    text = json.dumps(case.input)
    unusual = sum(getattr(case, name) not in (value, None) for name, value in USUAL.items())
    return len(parts(case)) + unusual, len(text), sum(character not in PLAIN for character in text)


def search(case: Case) -> Search:
    """Takes away from the input, then from the world, as long as one of the two makes it smaller."""
    while True:
        before = size(case)
        case = yield from _shorten(case)
        case = yield from _reduce(case, parts(case), without)
        case = yield from _simplify_circumstances(case)
        if size(case) >= before:
            return case


def _reduce(case: Case, units: Sequence[Hashable], remove: Remove) -> Search:
    """Takes out runs of `units`, halving their length: all runs of a length in one round, then what goes together."""
    left = list(units)
    gone: frozenset[Hashable] = frozenset()
    length = len(left)
    while length and left:
        runs = [frozenset(left[at : at + length]) for at in range(0, len(left), length)][:CANDIDATES_MAX]
        shown = yield [remove(case, gone | run) for run in runs]
        good = [run for run, still in zip(runs, shown, strict=True) if still]
        if good:
            taken = yield from _most(case, gone, good, remove)
            gone |= taken
            left = [unit for unit in left if unit not in taken]
        if not good or length > 1:
            length //= 2
    return remove(case, gone)


def _most(
    case: Case,
    gone: frozenset[Hashable],
    good: Sequence[frozenset[Hashable]],
    remove: Remove,
) -> Generator[Sequence[Case], Sequence[bool], frozenset[Hashable]]:
    """The longest beginning of `good`, each of which can go, that can go together."""
    together = [frozenset[Hashable]().union(*good[: count + 1]) for count in range(len(good))]
    if len(together) == 1:
        return together[0]
    shown = yield [remove(case, gone | units) for units in together[1:]]
    return next((units for units, still in zip(together[:0:-1], shown[::-1], strict=True) if still), together[0])


# The input: every text in it is a list of pieces, ever finer.

_PLACES = f"{re.escape(CWD)}|{re.escape(HOME)}"
GRAINS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        rf"(?:{_PLACES}|[^;&|\n])+[;&|\n]*|[;&|\n]+",  # subcommands, roughly: both sides judge what is left
        r"\s*\S+|\s+",  # words
        rf"{_PLACES}|\w+|.",  # names and signs
    )
)
CHARACTERS = re.compile(rf"{_PLACES}|.", re.DOTALL)
"""A working or home directory is never taken apart."""
WORD = re.compile(rf"({_PLACES})|\w{{2,}}", re.DOTALL)
PLAIN = 'ax "{}:,'


def _shorten(case: Case) -> Search:
    optional = list(case.input)
    case = yield from _reduce(case, optional, _without_fields)
    for field in [name for name, value in case.input.items() if isinstance(value, str)]:
        for grain in GRAINS:
            case = yield from _take_out(case, field, grain)
        case = yield from _rename(case, field)
        case = yield from _take_out(case, field, CHARACTERS)
    return case


def _without_fields(case: Case, names: frozenset[Hashable]) -> Case:
    return replace(case, input={name: value for name, value in case.input.items() if name not in names})


def _take_out(case: Case, field: str, grain: re.Pattern[str]) -> Search:
    pieces = grain.findall(case.input[field])

    def remove(case: Case, gone: frozenset[Hashable]) -> Case:
        text = "".join(piece for number, piece in enumerate(pieces) if number not in gone)
        return _with_text(case, field, text)

    return (yield from _reduce(case, range(len(pieces)), remove))


def _rename(case: Case, field: str) -> Search:
    """Puts one letter in the place of each name that means nothing."""
    text = case.input[field]
    spans = [match.span() for match in WORD.finditer(text) if not match[1]]

    def plain(case: Case, chosen: frozenset[Hashable]) -> Case:
        result = text
        for start, end in reversed(spans):
            if (start, end) in chosen:
                result = result[:start] + "a" + result[end:]
        return _with_text(case, field, result)

    return (yield from _reduce(case, spans, plain))


def _with_text(case: Case, field: str, text: str) -> Case:
    return replace(case, input={**case.input, field: text})


# The world: every rule, setting, file, link, hook, server, variable and flag is a part.


MAPPINGS = ("files", "links", "mcp", "env")


def parts(case: Case) -> list[Hashable]:
    """What of the world of `case` can be taken away, each part by its place."""
    found: list[Hashable] = []
    for scope, settings in case.settings.items():
        if not isinstance(settings, dict):
            found.append(("settings", scope))
            continue
        for key, value in settings.items():
            if key != "permissions" or not isinstance(value, dict):
                found.append(("settings", scope, key))
                continue
            for name, rules in value.items():
                if isinstance(rules, list):
                    found += [("settings", scope, key, name, number) for number in range(len(rules))]
                else:
                    found.append(("settings", scope, key, name))
    for kind in MAPPINGS:
        found += [(kind, name) for name in getattr(case, kind)]
    found += [("hooks", number) for number in range(len(case.hooks))]
    found += [("args",)] if case.args else []
    return found


def without(case: Case, gone: frozenset[Hashable]) -> Case:
    """`case` without the parts `gone`; what is left empty goes too."""
    settings: dict[str, Any] = {}
    for scope, body in case.settings.items():
        if ("settings", scope) in gone:
            continue
        settings[scope] = _settings_without(scope, body, gone) if isinstance(body, dict) else body
    kept: dict[str, Any] = {
        kind: {name: value for name, value in getattr(case, kind).items() if (kind, name) not in gone}
        for kind in MAPPINGS
    }
    return replace(
        case,
        settings={scope: body for scope, body in settings.items() if body},
        hooks=tuple(hook for number, hook in enumerate(case.hooks) if ("hooks", number) not in gone),
        args=() if ("args",) in gone else case.args,
        **kept,
    )


def _settings_without(scope: str, body: Mapping[str, Any], gone: frozenset[Hashable]) -> dict[str, Any]:
    left: dict[str, Any] = {}
    for key, value in body.items():
        at = ("settings", scope, key)
        if at in gone:
            continue
        if key != "permissions" or not isinstance(value, dict):
            left[key] = value
            continue
        rules = {
            name: [rule for number, rule in enumerate(rules) if (*at, name, number) not in gone]
            if isinstance(rules, list)
            else rules
            for name, rules in value.items()
            if (*at, name) not in gone
        }
        if rules := {name: some for name, some in rules.items() if some != []}:
            left[key] = rules
    return left


def _simplify_circumstances(case: Case) -> Search:
    for name, value in USUAL.items():
        if getattr(case, name) in (value, None):
            continue
        change: dict[str, Any] = {name: value}
        candidate = replace(case, **change)
        [still] = yield [candidate]
        if still:
            case = candidate
    return case
