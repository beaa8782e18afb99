"""The mutation score of a policy's tests: of all small changes to the policy, how many do the tests notice?

Each mutant is tried on the cases it can matter for. One that no case notices is either proved to change no decision, or
shown to change one, by a call that is the missing test, or, where neither succeeds, left undecided and counted as
missed: the score never flatters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from toolaudit.analysis.canonical import between, candidates
from toolaudit.analysis.equivalence import directories, proof
from toolaudit.analysis.mutants import START_MODES, Mutant, mutants
from toolaudit.analysis.relevance import Form, form, relevant
from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.pipeline import decide
from toolaudit.settings import effective_mode
from toolaudit.testing.case import Case
from toolaudit.testing.run import run


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    """A test fails under it."""
    SURVIVED = "survived"
    """No test fails, and a call is known that it decides otherwise."""
    EQUIVALENT = "equivalent"
    """It is proved to change no decision."""
    UNDECIDED = "undecided"
    """No test fails; neither a call nor a proof was found."""


@dataclass(frozen=True, slots=True)
class Example:
    """A call that two policies decide differently, and how the first decides it."""

    call: ToolCall
    mode: Mode | None
    """None: the mode the policy starts in."""
    decision: Decision
    other: Decision


@dataclass(frozen=True, slots=True)
class MutantResult:
    """One mutant and what became of it."""

    mutant: Mutant
    fate: Fate
    killer: Case | None = None
    """The first case that fails."""
    why: str = ""
    """The proof that it is equivalent."""
    example: Example | None = None
    """The missing test."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many mutants the tests noticed."""

    killed: int
    survived: int
    undecided: int
    equivalent: int

    @classmethod
    def of(cls, results: Sequence[MutantResult]) -> Score:
        def count(fate: Fate) -> int:
            return sum(one.fate is fate for one in results)

        return cls(count(Fate.KILLED), count(Fate.SURVIVED), count(Fate.UNDECIDED), count(Fate.EQUIVALENT))

    @property
    def percent(self) -> float:
        """Killed of all that are not proved equivalent, 0 to 100; 100 where there are none."""
        counted = self.killed + self.survived + self.undecided
        return 100 * self.killed / counted if counted else 100.0


def mutate(
    policy: Policy, workspace: Workspace, cases: Sequence[Case], *, operators: Collection[str] | None = None
) -> Iterator[MutantResult]:
    """Every mutant of `policy` and what becomes of it under `cases`, which test that policy, in whatever place.

    `operators` are the kinds of mutants to make; None: all.

    `policy` is the one for the place of `workspace`, where missing tests are looked for. Cases that fail already and
    those that are skipped notice nothing.
    """
    tried = Trial([case for case in cases if case.skip is None and run(case).passed])
    every = [mutant for mutant in mutants(policy) if operators is None or mutant.operator in operators]
    tried.sort_out(every)
    for mutant in every:
        killer = tried.killer(mutant)
        if killer is not None:
            yield MutantResult(mutant, Fate.KILLED, killer)
            continue
        why = proof(mutant, policy, workspace)
        if why is not None:
            yield MutantResult(mutant, Fate.EQUIVALENT, why=why)
            continue
        example = missing_test(mutant, policy, workspace)
        yield MutantResult(mutant, Fate.UNDECIDED if example is None else Fate.SURVIVED, example=example)


class Trial:
    """Cases, sorted by the rules that can matter for them, so that each mutant is tried on few."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._by_form: dict[tuple[int, Form], list[int]] = {}

    def sort_out(self, mutants: Sequence[Mutant]) -> None:
        """Find the cases that each of `mutants` about a rule can matter for."""
        places: dict[int, list[int]] = {}
        for number, case in enumerate(self._cases):
            places.setdefault(id(case.policy), []).append(number)
        for numbers in places.values():
            first = self._cases[numbers[0]]
            rules = [rule for one in mutants for rule in one.forms(first.policy, first.workspace)]
            found = relevant(rules, numbers, first.policy, self._decide)
            self._by_form |= {(id(first.policy), one): touched for one, touched in found.items()}

    def killer(self, mutant: Mutant) -> Case | None:
        """The first case that fails under `mutant`."""
        changed: dict[int, Policy] = {}
        for number in self._concerned(mutant):
            case = self._cases[number]
            key = id(case.policy)
            if key not in changed:
                changed[key] = mutant.apply(case.policy, case.workspace)
            if not run(case, changed[key]).passed:
                return case
        return None

    def _concerned(self, mutant: Mutant) -> list[int]:
        """The cases that `mutant` can make a difference for."""
        if mutant.hook is not None:
            return [number for number, case in enumerate(self._cases) if case.answers]
        if mutant.mode is not None:
            return [number for number, case in enumerate(self._cases) if case.mode is None]
        found: dict[int, None] = {}
        for policy, workspace in {id(one.policy): (one.policy, one.workspace) for one in self._cases}.values():
            for rule in mutant.forms(policy, workspace):
                found |= dict.fromkeys(self._by_form[id(policy), form(rule)])
        return list(found)

    def _decide(self, number: int, policy: Policy) -> Decision:
        return run(self._cases[number], policy).decision


def missing_test(mutant: Mutant, policy: Policy, workspace: Workspace) -> Example | None:
    """A call that `policy` and `mutant` decide differently, as plain as one is found."""
    changed = mutant.apply(policy, workspace)
    return difference(_suspects(mutant, policy, workspace), policy, changed, workspace)


def difference(calls: Iterator[ToolCall], policy: Policy, other: Policy, workspace: Workspace) -> Example | None:
    """The first of `calls` that the policies decide differently in the mode they start in, or else in another mode."""
    remembered = []
    for call in calls:
        remembered.append(call)
        found = compare(call, policy, other, workspace, None)
        if found is not None:
            return found
    for mode in START_MODES:
        for call in remembered:
            found = compare(call, policy, other, workspace, mode)
            if found is not None:
                return found
    return None


def compare(call: ToolCall, policy: Policy, other: Policy, workspace: Workspace, mode: Mode | None) -> Example | None:
    """How the two policies decide `call`, where they differ; a tool that is not offered counts as denied."""
    one = decide(call, policy, effective_mode(policy, mode)[0], workspace)
    two = decide(call, other, effective_mode(other, mode)[0], workspace)
    return Example(call, mode, one, two) if _word(one) is not _word(two) else None


def _word(decision: Decision) -> Behavior:
    return Behavior.DENY if decision.behavior is Behavior.REMOVED else decision.behavior


def _suspects(mutant: Mutant, policy: Policy, workspace: Workspace) -> Iterator[ToolCall]:
    """Calls that the change may be about."""
    places = directories(policy, workspace)
    if mutant.mode is not None:
        yield from (
            ToolCall("Bash", {"command": "x"}),
            ToolCall("Write", {"file_path": f"{workspace.cwd}/x", "content": "x"}),
            ToolCall("WebFetch", {"url": "https://example.com/", "prompt": "x"}),
        )
        return
    rule = next((one for one in policy.rules if mutant.concerns(one)), None)
    if rule is None:
        return
    changed = mutant.replaced(rule, workspace)
    others = tuple(one for one in policy.rules if one is not rule)
    yield from candidates(rule, places)
    stronger = tuple(one for one in others if one.behavior is not Behavior.ALLOW)
    yield from between(rule, others, places)
    yield from between(rule, stronger, places)
    if changed is not None and changed.behavior is rule.behavior:
        yield from candidates(changed, places)
        for inside, outside in ((changed, rule), (rule, changed)):
            yield from between(inside, (outside, *others), places)
            yield from between(inside, (outside, *stronger), places)
