"""Differences of rules about paths, hosts and servers, against brute force with the resolver itself."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from tests.analysis.making import CWD, HOME, policy
from toolaudit.analysis.diff import Side, compare
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.model.workspace import UnknownWorkspace

MACHINE = UnknownWorkspace(CWD, HOME)
LEVEL = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2, Behavior.REMOVED: 2}
PAIRS = 60

Lists = dict[str, list[str]]


def path(chance: random.Random) -> str:
    segments = ["a", "b", "*", "**", "a*", "?", "[ab]", "*b"]
    text = "/".join(chance.choice(segments) for _ in range(chance.randint(1, 3)))
    return chance.choice(["Read({})", "Read(/{})", "Read({}/**)", "Read({}/)", "Read(~/{})"]).format(text)


def host(chance: random.Random) -> str:
    return f"WebFetch(domain:{''.join(chance.choice('ab*..') for _ in range(chance.randint(1, 4)))})"


def server(chance: random.Random) -> str:
    return "mcp__" + chance.choice(["a", "b", "a__x", "a__y", "b__x", "a__*", "a__x*", "a__*y"])


def paths() -> list[ToolCall]:
    names = ["a", "b", "x", "ab"]
    found = itertools.chain.from_iterable(itertools.product(names, repeat=size) for size in (1, 2, 3))
    return [ToolCall("Read", {"file_path": "/".join((root, *one))}) for one in found for root in (CWD, HOME)]


def hosts() -> list[ToolCall]:
    labels = ["a", "b", "x", "ab"]
    found = itertools.chain.from_iterable(itertools.product(labels, repeat=size) for size in (1, 2, 3))
    return [ToolCall("WebFetch", {"url": f"https://{'.'.join(one)}/", "prompt": "x"}) for one in found]


def servers() -> list[ToolCall]:
    tools = ("x", "y", "z", "xy", "xz", "zy")
    return [ToolCall(f"mcp__{one}__{tool}", {}) for one in "abz" for tool in tools]


KINDS: dict[str, tuple[Callable[[random.Random], str], Callable[[], list[ToolCall]]]] = {
    "paths": (path, paths),
    "hosts": (host, hosts),
    "servers": (server, servers),
}


def pair(rule: Callable[[random.Random], str], chance: random.Random) -> tuple[Lists, Lists]:
    """A policy and an edit of it."""
    old: Lists = {"allow": [], "ask": [], "deny": []}
    for _ in range(chance.randint(0, 3)):
        old[chance.choice(list(old))].append(rule(chance))
    new = {name: list(rules) for name, rules in old.items()}
    for _ in range(chance.randint(1, 2)):
        rules = new[chance.choice(list(new))]
        if rules and chance.random() < 0.5:
            rules.pop()
        else:
            rules.append(rule(chance))
    return old, new


@pytest.mark.parametrize("kind", KINDS)
def test_no_class_is_missed(kind: str) -> None:
    rule, calls = KINDS[kind]
    chance, asked = random.Random(11), calls()
    for _ in range(PAIRS):
        old, new = pair(rule, chance)
        sides = [Side(policy(**lists), Mode.DEFAULT, MACHINE) for lists in (old, new)]
        found = compare(*sides)
        assert not found.faults, (old, new)
        assert not found.undecided, (old, new)
        levels = [[LEVEL[side.decide(call).behavior] for call in asked] for side in sides]
        classes = {(one, two) for one, two in zip(*levels, strict=True) if one != two}
        assert classes <= {(LEVEL[change.kind[0]], LEVEL[change.kind[1]]) for change in found.changes}, (old, new)
