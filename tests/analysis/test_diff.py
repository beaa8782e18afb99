"""Differences between policies: a table to read, brute force over short commands, and what is no rule."""

from __future__ import annotations

import itertools
import random
import re
from functools import cache
from typing import Any

import pytest

from tests.analysis.making import CWD, HOME, policy
from toolaudit.analysis.diff import Comparison, Side, Verdict, compare
from toolaudit.model import Behavior, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.rules.commands import collapse_blanks
from toolaudit.settings import effective_mode, load_objects

MACHINE = UnknownWorkspace(CWD, HOME)

Lists = dict[str, list[str]]


def side(given: Policy, mode: Mode | None = None) -> Side:
    return Side(given, effective_mode(given, mode)[0], MACHINE)


def differ(old: dict[str, Any], new: dict[str, Any], mode: Mode | None = None) -> Comparison:
    return compare(side(policy(**old), mode), side(policy(**new), mode))


RULES: tuple[tuple[Lists, Lists, str, tuple[str, ...]], ...] = (
    ({}, {}, "equivalent", ()),
    ({"allow": ["Bash(x:*)"]}, {"allow": ["Bash(x *)"]}, "equivalent", ()),
    ({"deny": ["Bash(x *)", "Bash(x y *)"]}, {"deny": ["Bash(x *)"]}, "equivalent", ()),
    ({}, {"allow": ["Bash(ls *)"]}, "equivalent", ()),
    ({}, {"allow": ["Bash(x *)"]}, "looser", ("ask -> allow: x",)),
    ({"allow": ["Bash(x *)"]}, {}, "stricter", ("allow -> ask: x",)),
    ({"allow": ["Bash(x *)"]}, {"allow": ["Bash(x *)"], "ask": ["Bash(x y*)"]}, "stricter", ("allow -> ask: x y",)),
    ({"allow": ["Bash(x *)"]}, {"allow": ["Bash(x*)"]}, "looser", ("ask -> allow: xx",)),
    (
        {"allow": ["Bash(x *)"], "deny": ["Bash(x y *)"]},
        {"allow": ["Bash(x *)"], "deny": ["Bash(x z *)"]},
        "both",
        ("deny -> allow: x y", "allow -> deny: x z"),
    ),
    ({"deny": ["Bash(* --force)"]}, {"ask": ["Bash(* --force)"]}, "looser", ("deny -> ask: x --force",)),
    ({"deny": ["Bash(curl * | sh)"]}, {}, "looser", ("deny -> ask: curl x | sh",)),
    ({"deny": ["Read(secrets/**)"]}, {}, "looser", (f"deny -> allow: Read(file_path: {CWD}/secrets)",)),
    (
        {"deny": ["Read(**/.env)"]},
        {"deny": ["Read(//**/.env)"]},
        "stricter",
        ("ask -> deny: Read(file_path: /.env)",),
    ),
    ({}, {"allow": ["Read(~/notes/**)"]}, "looser", (f"ask -> allow: Read(file_path: {HOME}/notes)",)),
    ({}, {"allow": ["mcp__a"]}, "looser", ("ask -> allow: mcp__a__x",)),
    ({"deny": ["mcp__*"]}, {"deny": ["mcp__a"]}, "looser", ("deny -> ask: mcp__x__x",)),
    ({"allow": ["WebFetch(domain:*.a.com)"]}, {"allow": ["WebFetch(domain:a.com)"]}, "both", ()),
    ({"deny": ["Agent(model:opus)"]}, {}, "looser", ("deny -> allow: Agent(model: opus)",)),
)


def told(found: Comparison) -> set[str]:
    return {f"{change.kind[0]} -> {change.kind[1]}: {change.subject}" for change in found.changes}


@pytest.mark.parametrize(("old", "new", "verdict", "changes"), RULES, ids=lambda value: str(value)[:60])
def test_rules(old: Lists, new: Lists, verdict: str, changes: tuple[str, ...]) -> None:
    found = differ(old, new)
    assert found.verdict == verdict
    assert set(changes) <= told(found)
    assert not found.faults
    assert not found.undecided


CIRCUMSTANCES: tuple[tuple[dict[str, Any], dict[str, Any], str], ...] = (
    ({}, {"permissions": {"defaultMode": "acceptEdits"}}, "looser"),
    ({"permissions": {"defaultMode": "plan"}}, {}, "both"),
    ({}, {"permissions": {"defaultMode": "dontAsk"}}, "stricter"),
    ({}, {"permissions": {"additionalDirectories": ["/srv/x"]}}, "looser"),
    ({}, {"permissions": {"disableBypassPermissionsMode": "disable"}}, "stricter"),
    ({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}, {}, "looser"),
    ({}, {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}, "both"),
    ({}, {"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}, "equivalent"),
    ({"sandbox": {"enabled": True}}, {"sandbox": {"enabled": True, "excludedCommands": ["git"]}}, "looser"),
    ({"sandbox": {"enabled": True, "failIfUnavailable": True}}, {"sandbox": {"enabled": True}}, "looser"),
    ({"permissions": {"deny": ["Bash(x)"]}}, {"env": {"A": "b"}, "permissions": {"deny": ["Bash(x)"]}}, "equivalent"),
)


@pytest.mark.parametrize(("old", "new", "verdict"), CIRCUMSTANCES, ids=lambda value: str(value)[:60])
def test_circumstances(old: dict[str, Any], new: dict[str, Any], verdict: str) -> None:
    sides = [side(load_objects({Scope.USER: value}, cwd=CWD, home=HOME)) for value in (old, new)]
    assert compare(*sides).verdict == verdict


def test_a_list_that_readmits_paths_is_named_as_undecided() -> None:
    found = differ({"deny": ["Read(**)", "Read(!a)"]}, {"deny": ["Read(**)"]})
    assert found.undecided


def test_a_rule_that_auto_mode_sets_aside_makes_no_difference_there() -> None:
    rules = {"allow": ["Bash(python3 *)"]}
    assert differ({}, rules).verdict is Verdict.LOOSER
    assert differ({}, rules, Mode.AUTO).verdict is Verdict.EQUIVALENT


def test_the_deciding_rules_are_named() -> None:
    [change] = differ({"deny": ["Bash(x *)"]}, {"allow": ["Bash(x *)"]}).changes
    assert [str(one.rule) for one in (change.old, change.new)] == ["deny Bash(x *)", "allow Bash(x *)"]


WORDS = [
    word
    for size in range(1, 6)
    for word in map("".join, itertools.product("abx ", repeat=size))
    if collapse_blanks(word) == word
]
LEVEL = {"allow": 0, "ask": 1, "deny": 2}


@cache
def covered(specifier: str) -> frozenset[int]:
    """The places in WORDS of what a rule covers, by a naive regular expression of its own."""
    text = " ".join(specifier.split())
    if text == "*":
        return frozenset(range(len(WORDS)))
    pattern = "".join(".*" if character == "*" else re.escape(character) for character in text)
    if text.endswith(" *") and text.count("*") == 1:
        pattern = re.escape(text[:-2]) + "(?: .*)?"
    expression = re.compile(pattern, re.DOTALL)
    exact = "*" not in specifier
    words = enumerate(WORDS)
    return frozenset(at for at, word in words if (word == specifier.strip() if exact else expression.fullmatch(word)))


def levels(lists: Lists) -> list[int]:
    found = [1] * len(WORDS)
    for name in ("allow", "ask", "deny"):
        for text in lists[name]:
            for at in covered(text[5:-1]):
                found[at] = LEVEL[name]
    return found


def random_lists(chance: random.Random) -> Lists:
    lists: Lists = {"allow": [], "ask": [], "deny": []}
    for _ in range(chance.randint(0, 4)):
        lists[chance.choice(list(lists))].append(random_rule(chance))
    return lists


def random_rule(chance: random.Random) -> str:
    while True:
        text = "".join(chance.choice("ab* ") for _ in range(chance.randint(1, 4)))
        if text.strip():
            return f"Bash({collapse_blanks(text)})"


def edited(lists: Lists, chance: random.Random) -> Lists:
    changed = {name: list(rules) for name, rules in lists.items()}
    for _ in range(chance.randint(1, 2)):
        rules = changed[chance.choice(list(changed))]
        if rules and chance.random() < 0.5:
            rules.pop(chance.randrange(len(rules)))
        else:
            rules.append(random_rule(chance))
    return changed


def test_random_pairs_against_brute_force() -> None:
    chance = random.Random(8)
    wrong = []
    for _ in range(PAIRS):
        old = random_lists(chance)
        new = random_lists(chance) if chance.random() < 0.3 else edited(old, chance)
        found = differ(old, new)
        classes = {(one, two) for one, two in zip(levels(old), levels(new), strict=True) if one != two}
        mine = {(LEVEL[change.kind[0]], LEVEL[change.kind[1]]) for change in found.changes}
        assert not found.faults
        assert not found.undecided
        # Each change was decided by both policies, so a class too many is a witness longer than WORDS; none was seen.
        if classes != mine:
            wrong.append((old, new, classes, mine))
    assert wrong == []


PAIRS = 2_000


def test_naive_levels_are_those_of_the_resolver() -> None:
    chance = random.Random(9)
    behaviors = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2, Behavior.REMOVED: 2}
    for _ in range(20):
        lists = random_lists(chance)
        asked = side(policy(**lists))
        places = chance.sample(range(len(WORDS)), 100)
        naive = levels(lists)
        assert [behaviors[asked.decide(ToolCall("Bash", {"command": WORDS[at]})).behavior] for at in places] == [
            naive[at] for at in places
        ]
