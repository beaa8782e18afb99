"""Hypothesis strategies for shell commands.

    from hypothesis import given
    from toolaudit.fuzz import strategies

    @given(strategies.commands())
    def test_my_parser(command: str) -> None: ...

They draw from the same grammar, tokens and rewrites as the bulk runs, and shrink towards the simplest pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

from toolaudit.fuzz import grammar, mutation
from toolaudit.fuzz import rewrites as all_rewrites
from toolaudit.fuzz.rewrites.command import Command

Option = TypeVar("Option")

_WORDS = st.sampled_from(["x", "-rf", "push", "a b", "it's", "$x", "", "./.env", "*", "é"])
_NAMES = st.sampled_from(["rm", "git", "curl", "cat", "npm"])


class _Drawn:
    """A chance whose choices Hypothesis makes, and so can replay and shrink."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choose(self, options: Sequence[Option]) -> Option:
        return self._draw(st.sampled_from(options))

    def happens(self, percent: int) -> bool:
        return self._draw(st.integers(0, 99)) >= 100 - percent

    def position(self, length: int) -> int:
        return self._draw(st.integers(0, length))


@st.composite
def simple_commands(draw: st.DrawFn) -> str:
    """One simple command: assignments, redirections, a name, words."""
    return grammar.simple(_Drawn(draw), 0)


@st.composite
def commands(draw: st.DrawFn, depth: int = 2) -> str:
    """One statement with at most `depth` levels of others inside; mostly valid bash."""
    return grammar.statement(_Drawn(draw), depth)


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """What a bulk run generates: a statement, at times with pieces put in where they hardly belong."""
    return grammar.script(_Drawn(draw))


@st.composite
def noise(draw: st.DrawFn) -> str:
    """Tokens of the shell in any order; mostly invalid."""
    return mutation.noise(_Drawn(draw))


@st.composite
def mutations(draw: st.DrawFn, base: Sequence[str]) -> str:
    """One of `base`, changed in one to three places."""
    return mutation.mutation(_Drawn(draw), base)


def argvs() -> st.SearchStrategy[tuple[str, ...]]:
    """A program's name with up to three arguments, some of which need quotes."""
    return st.tuples(_NAMES, st.lists(_WORDS, max_size=3)).map(lambda drawn: (drawn[0], *drawn[1]))


@st.composite
def rewrites(
    draw: st.DrawFn, argv: Sequence[str] | None = None, names: Sequence[str] = tuple(all_rewrites.ALL)
) -> Command:
    """`argv` (or one drawn) said another way: `.text` is the command, `.rewrites` names what made it so."""
    words = tuple(argv) if argv is not None else draw(argvs())
    return all_rewrites.rewritten(words, _Drawn(draw), names)
