"""Containment, intersection and emptiness: a table to read, and brute force over short words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.making import CWD, HOME, rule, rules
from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Witness, contained, covers, disjoint, empty, witness
from toolaudit.model import Rule
from toolaudit.rules import grammar
from toolaudit.rules.commands import collapse_blanks, compile_specifier
from toolaudit.rules.domains import DomainRules
from toolaudit.rules.paths import PathRules

WITHIN = [
    ("Bash(git push *)", ["Bash(git *)"], "allow"),
    ("Bash(git)", ["Bash(git *)"], "allow"),
    ("Bash(git:*)", ["Bash(git *)"], "allow"),
    ("Bash(git *)", ["Bash(git:*)"], "allow"),
    ("Bash(git *)", ["Bash(git*)"], "allow"),
    ("Bash(a  b)", ["Bash(a *)"], "allow"),
    ("Bash(*)", ["Bash"], "allow"),
    ("Bash(npm run *)", ["Bash"], "allow"),
    ("Bash(a * b *)", ["Bash(a *)"], "allow"),
    ("Read(**/.env)", ["Read(//**/.env)"], "deny"),
    ("Read(**/x/**)", ["Read(**/x)"], "deny"),
    ("Read(~/.ssh/*)", ["Read(~/.ssh/**)"], "deny"),
    ("Read(SRC/a)", ["Read(src/A)"], "deny"),
    ("Read(src/[a-c])", ["Read(src/a)", "Read(src/b)", "Read(src/c)"], "deny"),
    ("Read(/x)", ["Read(./x)"], "deny"),
    ("Read(src/a*)", ["Read(src/a)", "Read(src/a?)", "Read(src/a??*)"], "deny"),
    ("WebFetch(domain:b.a.com)", ["WebFetch(domain:*.a.com)"], "allow"),
    ("WebFetch(domain:A.com)", ["WebFetch(domain:a.com.)"], "allow"),
    ("WebFetch(domain:*.a.com)", ["WebFetch(domain:*)"], "allow"),
    ("mcp__a__b", ["mcp__a"], "allow"),
    ("mcp__a", ["mcp__a__*"], "allow"),
    ("mcp__a__get_*", ["mcp__*"], "deny"),
    ("Bash", ["*"], "deny"),
    ("Agent(model:o*)", ["Agent(model:*)"], "deny"),
    ("Skill(a:*)", ["Skill(a *)"], "allow"),
]

OUTSIDE = [
    ("Bash(git *)", ["Bash(git push *)"], "allow", "Bash: git"),
    ("Bash(git *)", ["Bash(git push *)", "Bash(git)"], "allow", "Bash: git x"),
    ("Bash(git*)", ["Bash(git *)"], "allow", "Bash: gitx"),
    ("Bash(a*b*c)", ["Bash(a*bc)"], "allow", "Bash: abxc"),
    ("Bash(x*)", ["Bash(x)", "Bash(xx*)"], "allow", "Bash: xz"),
    ("Bash", ["Bash(ls *)"], "allow", "Bash: x"),
    ("Bash(timeout:*)", ["Bash(timeout *)"], "deny", "Bash(timeout: )"),
    ("Read(src/**)", ["Read(src/*.py)"], "allow", "Read: /work/project/src"),
    ("Read(~/.ssh/**)", ["Read(~/.ssh/*)"], "deny", "Read: /home/user/.ssh"),
    ("Read(src/[a-c])", ["Read(src/a)", "Read(src/b)"], "deny", "Read: /work/project/src/C"),
    ("Read(src/a?c)", ["Read(src/abc)"], "deny", "Read: /work/project/src/axc"),
    ("Read(**/x/y)", ["Read(*/x/y)", "Read(/x/y)"], "deny", "Read: /work/project/x/x/x/y"),
    ("WebFetch(domain:*.a.com)", ["WebFetch(domain:*b.a.com)"], "allow", "WebFetch: x.a.com"),
    ("WebFetch(domain:a.com)", ["WebFetch(domain:*.a.com)"], "allow", "WebFetch: a.com"),
    ("mcp__a", ["mcp__a__b"], "allow", "mcp__a__x"),
    ("mcp__*", ["mcp__a"], "deny", "mcp__x__x"),
    ("*", ["mcp__*"], "deny", "Agent: x"),
    ("WebSearch", [], "allow", "WebSearch"),
    ("Agent(model:o*)", ["Agent(model:opus)"], "deny", "Agent(model: o)"),
    ("Skill(a *)", ["Skill(a)"], "allow", "Skill: ax"),
]

EMPTY = ["Bash(:*)", "Bash(lsof -i :*)", "Bash(a  b:*)", "Read(src/[z-a])", "WebFetch(domain:a_/b)"]


@pytest.mark.parametrize(("one", "others", "behavior"), WITHIN, ids=lambda value: str(value))
def test_contained(one: str, others: list[str], behavior: str) -> None:
    assert contained(rule(one, behavior), rules(*others, behavior=behavior))


@pytest.mark.parametrize(("one", "others", "behavior", "shown"), OUTSIDE, ids=lambda value: str(value))
def test_witness(one: str, others: list[str], behavior: str, shown: str) -> None:
    assert str(witness([rule(one, behavior)], rules(*others, behavior=behavior))) == shown


@pytest.mark.parametrize("text", EMPTY)
def test_empty(text: str) -> None:
    assert empty(rule(text, "deny"))


def test_a_list_that_readmits_paths_is_not_decided() -> None:
    with pytest.raises(UndecidedError):
        contained(rule("Read(a)"), rules("Read(**)", "Read(!a)"))


def test_the_call_of_a_witness_is_complete() -> None:
    assert Witness(("WebFetch", "url"), "x.org").call.input["url"] == "https://x.org/"  # type: ignore[arg-type]


COMMANDS = st.text("ab* ", min_size=1, max_size=6).map("Bash({})".format)
WORDS = [word for size in range(1, 6) for word in map("".join, itertools.product("abx ", repeat=size))]
PLAIN = [word for word in WORDS if collapse_blanks(word) == word]


def covers_command(one: Rule, word: str) -> bool:
    if one.specifier is None:
        return True
    pattern = compile_specifier(one.specifier)
    return pattern.matches(word if pattern.exact else collapse_blanks(word))


PATHS = st.builds(
    lambda segments: "Read(" + "/".join(segments) + ")",
    st.lists(st.sampled_from(["a", "b", "*", "**", "a*", "?", "[ab]", "*b"]), min_size=1, max_size=3),
)
TREE = [
    f"{CWD}/" + "/".join(names)
    for size in (1, 2, 3)
    for names in itertools.product(["a", "b", "x", "ab", "ax", "xb"], repeat=size)
]


def covers_path(one: Rule, path: str) -> bool:
    return one.specifier is None or PathRules([one], cwd=CWD, home=HOME).find(path) is not None


HOSTS = st.text("ab*.", min_size=1, max_size=5).map("WebFetch(domain:{})".format)
NAMES = [
    ".".join(labels)
    for size in (1, 2, 3)
    for labels in itertools.product(["a", "b", "x", "ab", "ax", "xb", "bx"], repeat=size)
]


def covers_host(one: Rule, host: str) -> bool:
    return DomainRules([one]).find(host) is not None


def agrees(
    inside: Sequence[str],
    outside: Sequence[str],
    words: Iterable[str],
    covered: Callable[[Rule, str], bool],
) -> None:
    """The answer against every short word: a word found by hand needs a witness, and a witness must hold."""
    within, without = rules(*inside, behavior="deny"), rules(*outside, behavior="deny")
    if any(grammar.dead(one) for one in (*within, *without)):
        return
    found = witness(within, without)
    held = [
        word
        for word in words
        if all(covered(one, word) for one in within) and not any(covered(one, word) for one in without)
    ]
    if found is None:
        assert held == []
        return
    assert all(covered(one, found.text) for one in within)
    assert not any(covered(one, found.text) for one in without)
    assert all(covers(one, found) for one in within)
    if held:
        assert len(found.text) <= min(map(len, held))


SOME = {"min_size": 1, "max_size": 2}


@given(st.lists(COMMANDS, **SOME), st.lists(COMMANDS, max_size=3))
def test_commands_against_brute_force(inside: list[str], outside: list[str]) -> None:
    agrees(inside, outside, PLAIN, covers_command)


@given(st.lists(PATHS, **SOME), st.lists(PATHS, max_size=3))
def test_paths_against_brute_force(inside: list[str], outside: list[str]) -> None:
    agrees(inside, outside, TREE, covers_path)


@given(st.lists(HOSTS, **SOME), st.lists(HOSTS, max_size=3))
def test_hosts_against_brute_force(inside: list[str], outside: list[str]) -> None:
    agrees(inside, outside, NAMES, covers_host)


@given(COMMANDS, st.lists(COMMANDS, max_size=4))
def test_the_canonical_word_agrees_with_the_automaton(one: str, others: list[str]) -> None:
    within, without = rule(one), rules(*others)
    # A second, equal rule inside takes the way through the automaton.
    twice = witness([within, rule(one)], without)
    once = witness([within], without)
    assert (once is None) == (twice is None)
    assert once is None or twice is None or len(once.text) == len(twice.text)


@given(COMMANDS, COMMANDS)
def test_disjoint_is_symmetric(one: str, other: str) -> None:
    assert disjoint(rule(one), rule(other)) == disjoint(rule(other), rule(one))
