"""The minimiser against two made-up sides that differ in one thing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from making import case

from toolaudit.conformance import Case, read_cases
from toolaudit.conformance.disagreements import chosen
from toolaudit.conformance.minimise import ROUNDS_MAX, Minimal, Vanished, Verdict, fields, minimise
from toolaudit.conformance.smaller import parts, size, without

ALLOW, ASK, DENY = (Verdict(decision, None, "because") for decision in ("allow", "ask", "deny"))


class Sides:
    """Agree on everything but what `differs` is true of; counts the rounds and the questions."""

    def __init__(self, differs: Callable[[Case], bool]) -> None:
        self.differs = differs
        self.rounds = self.asked = 0

    def decide(self, _: Case) -> Verdict | None:
        return ALLOW

    def ask(self, cases: Sequence[Case]) -> Mapping[str, Verdict]:
        self.rounds += 1
        self.asked += len(cases)
        assert len({one.id for one in cases}) == len(cases)
        return {one.id: DENY if self.differs(one) else ALLOW for one in cases}


def smallest(differs: Callable[[Case], bool], original: Case) -> Case:
    sides = Sides(differs)
    [found] = minimise([original], sides.decide, sides.ask)
    assert isinstance(found, Minimal)
    assert (found.ours, found.theirs) == (ALLOW, DENY)
    assert sides.rounds <= ROUNDS_MAX + 1
    return found.case


LONG = 'cd {cwd}/src && for f in *.py; do grep -rn "TODO" "$f"; done; npm run build > out.txt 2>&1 & echo finished'
RULES = [f"Bash(tool{number} *)" for number in range(50)]


@pytest.mark.parametrize(
    ("differs", "expected"),
    [
        (lambda text: "npm" in text, "npm"),
        (lambda text: "&" in text.replace("&&", "").replace("2>&1", ""), "&"),
        (lambda text: "for" in text and "done" in text, "fordone"),
        (lambda text: text.startswith("cd") and "finished" in text, "cdfinished"),
        (lambda text: "/tmp/probe/work" in text, "{cwd}"),
    ],
    ids=["program", "operator", "two words", "both ends", "place"],
)
def test_the_command_becomes_as_short_as_it_can(differs: Callable[[str], bool], expected: str) -> None:
    found = smallest(
        lambda one: differs(one.input.get("command", "")), case("a", given={"command": LONG, "timeout": 9})
    )
    assert fields(found) == {"id": found.id, "tool": "Bash", "input": {"command": expected}}


def test_names_that_mean_nothing_become_a_letter() -> None:
    def differs(one: Case) -> bool:
        words = str(one.input.get("command")).split()
        return len(words) == 3 and words[0] == "rm"

    assert smallest(differs, case("a", given={"command": "rm important directory"})).input == {"command": "rm a a"}


def test_the_policy_becomes_as_small_as_it_can() -> None:
    settings = {
        "user": {"permissions": {"allow": RULES, "deny": ["Read", *RULES], "defaultMode": "plan"}, "env": {"A": "b"}},
        "project": {"permissions": {"ask": RULES}},
    }

    def differs(one: Case) -> bool:
        user = one.settings.get("user", {}).get("permissions", {})
        return "Bash(tool7 *)" in user.get("allow", ()) and "Bash(tool33 *)" in user.get("deny", ())

    world = {"files": {"x": "y", "z": ""}, "links": {"l": "x"}, "mcp": {"s": ["t"]}, "hooks": [{"decision": "ask"}]}
    rest = {"env": {"E": "1"}, "args": ["--verbose"], "trusted": False, "start": "{cwd}/x", "git": False}
    found = fields(smallest(differs, case("a", mode="plan", settings=settings, **world, **rest)))
    assert {name: value for name, value in found.items() if name != "id"} == {
        "tool": "Bash",
        "input": {},
        "mode": "default",
        "settings": {"user": {"permissions": {"allow": ["Bash(tool7 *)"], "deny": ["Bash(tool33 *)"]}}},
    }


def test_another_kind_of_disagreement_is_not_followed() -> None:
    def ask(cases: Sequence[Case]) -> Mapping[str, Verdict]:
        return {one.id: DENY if "npm test" in one.input.get("command", "") else ASK for one in cases}

    [found] = minimise([case("a", given={"command": "cd x && npm test"})], lambda _: ALLOW, ask)
    assert isinstance(found, Minimal)
    assert found.case.input == {"command": "npm test"}


def test_what_the_resolver_sorts_out_is_not_asked() -> None:
    asked: list[str] = []

    def ask(cases: Sequence[Case]) -> Mapping[str, Verdict]:
        asked.extend(str(one.input["command"]) for one in cases)
        return {one.id: DENY for one in cases}

    def decide(one: Case) -> Verdict | None:
        return ALLOW if "npm" in one.input.get("command", "") else None

    list(minimise([case("a", given={"command": LONG})], decide, ask))
    assert asked
    assert all("npm" in text for text in asked)


def test_searches_share_their_rounds() -> None:
    def rounds(count: int) -> int:
        sides = Sides(lambda one: "npm" in one.input.get("command", ""))
        found = list(minimise([case(str(n), given={"command": LONG}) for n in range(count)], sides.decide, sides.ask))
        assert len(found) == count
        return sides.rounds

    assert rounds(5) == rounds(1)


@pytest.mark.parametrize("theirs", [{"a": ALLOW}, {}], ids=["they agree", "no answer"])
def test_what_does_not_disagree_alone_is_said(theirs: Mapping[str, Verdict]) -> None:
    [found] = minimise([case("a")], lambda _: ALLOW, lambda _: theirs)
    assert found == Vanished(case("a"), ALLOW, theirs.get("a"))


def test_fields_are_a_case_again() -> None:
    original = case(
        "a", given={"command": "ls {home}"}, settings={"user": {}}, links={"{home}/l": "{cwd}"}, trusted=False
    )
    [again] = read_cases([json.dumps(fields(original))])
    assert again == original


def test_every_part_can_go_by_itself() -> None:
    original = case("a", settings={"user": {"permissions": {"deny": RULES[:3]}}, "flag": "{"}, files={"a": "", "b": ""})
    places = parts(original)
    assert len(places) == 6
    for place in places:
        assert parts(without(original, frozenset({place}))) != places
        assert len(parts(without(original, frozenset({place})))) == 5
    assert without(original, frozenset(places)) == case("a")


def test_a_search_never_grows_a_case() -> None:
    original = case("a", given={"command": LONG}, settings={"user": {"permissions": {"allow": RULES[:4]}}}, mode="plan")
    proposed: list[Case] = []

    def ask(cases: Sequence[Case]) -> Mapping[str, Verdict]:
        proposed.extend(cases)
        return {one.id: DENY if number % 3 else ALLOW for number, one in enumerate(cases, start=1)}

    [found] = minimise([original], lambda _: ALLOW, ask)
    assert isinstance(found, Minimal)
    assert proposed
    assert size(found.case) < size(original)
    assert all(size(one) <= size(original) for one in proposed)


def test_one_of_each_kind_comes_first() -> None:
    def recorded(decision: str, reason_type: str | None = None) -> dict[str, Any]:
        return {"decision": decision, "reason_type": reason_type, "reason": None}

    reads = [case(f"read {n}", "Read", {"file_path": "{cwd}/a"}, files={"a": "x"}) for n in range(3)]
    theirs = {
        "read 0": recorded("deny", "rule"),
        "read 1": recorded("deny", "rule"),
        "read 2": recorded("ask"),
        "agrees": recorded("allow"),
        "silent": recorded("none"),
    }
    rest = [case(name, "Read", {"file_path": "{cwd}/a"}, files={"a": "x"}) for name in ("agrees", "silent", "unknown")]
    picked = chosen([*reads, *rest], theirs, 2)
    assert [one.id for one in picked] == ["read 0", "read 2"]
    assert [one.id for one in chosen(reads, theirs, 9)] == ["read 0", "read 2", "read 1"]
