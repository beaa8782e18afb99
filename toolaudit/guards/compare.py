from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.conformance.cases import CWD, BadLine, Case
from toolaudit.guards.guard import FAILED, Guard, Verdict, ask
from toolaudit.model import ToolCall
from toolaudit.replay.subject import subject
from toolaudit.tools.effects.commands import Runner

STOPPED: Final = frozenset({"ask", "deny"})
"""Verdicts by which a call does not simply run."""

OURS: Final = "policy"
"""The column of toolaudit's own decision."""

Decide = Callable[[Case], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One call and what each guard said of it, by the guards' names."""

    case: Case
    verdicts: Mapping[str, Verdict]

    @property
    def differs(self) -> bool:
        """Whether some would have let it run and others not. A guard that failed takes no side."""
        sides = {verdict.word in STOPPED for verdict in self.verdicts.values() if verdict.word != FAILED}
        return len(sides) > 1


def compare(
    cases: Iterable[Case | BadLine],
    guards: Sequence[Guard],
    runner: Runner,
    place: str,
    *,
    decide: Decide | None = None,
    jobs: int = 2,
) -> Iterator[Row | BadLine]:
    """Asks every guard about every case, in order; `jobs` processes run at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        for case in cases:
            if isinstance(case, BadLine):
                yield case
                continue
            futures = {guard.name: pool.submit(_ask, guard, case, runner, place) for guard in guards}
            verdicts = {} if decide is None else {OURS: Verdict(decide(case))}
            yield Row(case, {**verdicts, **{name: future.result() for name, future in futures.items()}})


def _ask(guard: Guard, case: Case, runner: Runner, place: str) -> Verdict:
    mode = case.mode or "default"
    return ask(guard, case.tool, filled(case.input), CWD, mode, runner, place)


def filled(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The input with the places that cases name by `{cwd}` put in."""
    return {name: value.replace("{cwd}", CWD) if isinstance(value, str) else value for name, value in given.items()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows, counted."""

    names: tuple[str, ...]
    words: Mapping[str, Mapping[str, int]]
    """Guard -> verdict -> calls."""
    disagreements: Mapping[tuple[str, str], int]
    """Pair of guards -> calls that one stops and the other does not."""
    differing: tuple[Row, ...]
    calls: int
    bad: int


def tally(rows: Iterable[Row | BadLine], names: Sequence[str]) -> Comparison:
    words: dict[str, Counter[str]] = {name: Counter() for name in names}
    pairs: Counter[tuple[str, str]] = Counter()
    differing: list[Row] = []
    calls = bad = 0
    for row in rows:
        if isinstance(row, BadLine):
            bad += 1
            continue
        calls += 1
        for name, verdict in row.verdicts.items():
            words[name][verdict.word] += 1
        if row.differs:
            differing.append(row)
        known = [(name, verdict.word in STOPPED) for name, verdict in row.verdicts.items() if verdict.word != FAILED]
        for index, (one, stops) in enumerate(known):
            for other, stops_too in known[index + 1 :]:
                pairs[one, other] += stops != stops_too
    return Comparison(tuple(names), words, pairs, tuple(differing), calls, bad)


def about(case: Case) -> str:
    """The call in a line."""
    return f"{case.tool}  {subject(ToolCall(case.tool, filled(case.input)))}"
