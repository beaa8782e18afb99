"""The smallest question about which the resolver and the client still disagree, so that a person sees why.

Delta debugging against both sides. A round proposes many smaller cases at once; the resolver sorts out most of them,
and the client is asked about the rest together, so that a round costs one process where only the command differs, and
one for each policy that is tried. What must stay is both decisions and both reason types: else the search would slip
from one fault to another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolaudit.conformance.cases import CWD, HOME, Case, fill
from toolaudit.conformance.smaller import Search, search, size

ROUNDS_MAX = 60
"""For one disagreement; what is smallest by then is the result."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one side says of a case."""

    decision: str
    reason_type: str | None
    reason: str

    @property
    def kind(self) -> tuple[str, str | None]:
        return self.decision, self.reason_type


@dataclass(frozen=True, slots=True)
class Minimal:
    """A disagreement and the smallest case found for it."""

    original: Case
    case: Case
    ours: Verdict
    theirs: Verdict
    rounds: int


@dataclass(frozen=True, slots=True)
class Vanished:
    """A disagreement that was not there when the case was asked alone: it depends on the calls before it."""

    original: Case
    ours: Verdict
    theirs: Verdict | None


Decide = Callable[[Case], Verdict | None]
"""The resolver: None where it does not take the case."""
Ask = Callable[[Sequence[Case]], Mapping[str, Verdict]]
"""The client, about many cases at once: verdicts by case id, without those it did not answer."""


def minimise(cases: Sequence[Case], decide: Decide, ask: Ask) -> Iterator[Minimal | Vanished]:
    """The smallest case for each of `cases`, all searched side by side so that they share client processes."""
    first = {case.id: case for case in cases}
    theirs = ask(list(first.values()))
    searches = []
    for case in first.values():
        ours, their = decide(case), theirs.get(case.id)
        if ours is None or their is None or ours.decision == their.decision:
            yield Vanished(case, ours or Verdict("none", None, ""), their)
        else:
            searches.append(_Running(case, ours, their, search(case)))
    while searches:
        for running in _advance(searches, decide, ask):
            searches.remove(running)
            yield Minimal(running.original, running.case, running.ours, running.theirs, running.rounds)


class _Running:
    """A search, its proposal of this round, and both sides' words about the smallest case so far."""

    def __init__(self, case: Case, ours: Verdict, theirs: Verdict, steps: Search) -> None:
        self.original = self.case = case
        self.ours, self.theirs = ours, theirs
        self.rounds = 0
        self._steps = steps
        self.proposal = next(steps, None)

    def tell(self, verdicts: Sequence[tuple[Verdict, Verdict] | None]) -> bool:
        """Goes on with what both sides said of the proposal, None for another kind of answer; False: it is over."""
        self.rounds += 1
        for case, verdict in zip(self.proposal or (), verdicts, strict=True):
            if verdict is not None and size(case) < size(self.case):
                self.case, (self.ours, self.theirs) = case, verdict
        try:
            self.proposal = self._steps.send([verdict is not None for verdict in verdicts])
        except StopIteration:
            return False
        return self.rounds < ROUNDS_MAX


def _advance(searches: Sequence[_Running], decide: Decide, ask: Ask) -> list[_Running]:
    """One round of all searches: returns those that ended."""
    questions: dict[str, Case] = {}
    ours: dict[str, Verdict] = {}
    for number, running in enumerate(searches):
        for place, case in enumerate(running.proposal or ()):
            said = decide(case)
            if said is not None and said.kind == running.ours.kind:
                name = f"{number}-{place}"
                questions[name], ours[name] = replace(case, id=name), said
    theirs = ask(list(questions.values())) if questions else {}
    ended = []
    for number, running in enumerate(searches):
        verdicts: list[tuple[Verdict, Verdict] | None] = []
        for place in range(len(running.proposal or ())):
            their = theirs.get(f"{number}-{place}")
            agrees = their is None or their.kind != running.theirs.kind
            verdicts.append(None if their is None or agrees else (ours[f"{number}-{place}"], their))
        if running.proposal is None or not running.tell(verdicts):
            ended.append(running)
    return ended


def fields(case: Case) -> dict[str, Any]:
    """`case` as a line of a case file, with its placeholders put back and without what is as usual."""
    usual: Mapping[str, Any] = {"trusted": True, "git": True, "start": CWD, "mode": None}
    names = ("settings", "mode", "trusted", "files", "links", "git", "start", "mcp", "hooks", "env", "args")
    stated = {name: value for name in names if (value := getattr(case, name)) not in (usual.get(name), {}, ())}
    line = {"id": case.id, **stated, "tool": case.tool, "input": dict(case.input)}
    filled: dict[str, Any] = fill(json.loads(json.dumps(line)), {CWD: "{cwd}", HOME: "{home}"})
    return filled
