"""Languages of rules as unions of linear automata, run as bits of one integer, and the search for a word.

A rule's language is a union of sequences; an item of a sequence is one character out of a set, a loop over a set, or
any number of whole path segments. No rule of the client needs more. A set of states is an `int`, so two hundred rules
step as fast as one.

INVARIANT (the canonical-word argument): `FRESH` is a character that no rule names, so whatever accepts a word with
FRESH in it does so by a loop or a wide set and accepts any other filling too. To find out whether a language has a
word outside others, only FRESH, the characters that the language itself waits for and those that make a word of its
kind need be tried.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, Protocol

FRESH: Final = "\ue000"
"""Stands for any character that no rule names."""

STATES_MAX: Final = 60_000
"""States a search visits at most before it gives up; some seconds."""


class UndecidedError(Exception):
    """A question about rules that can't be answered exactly: it needs too many states, or a form not modelled."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A set of characters."""

    characters: frozenset[str]
    negated: bool = False
    offered: str = ""
    """Those of `characters` that a search tries; the others are accepted and never needed."""

    def accepts(self, character: str) -> bool:
        return (character in self.characters) is not self.negated


class Kind(IntEnum):
    ONE = 0
    LOOP = 1
    SEGMENTS = 2
    """Any number of path segments, each with the slash behind it."""


class Item(NamedTuple):
    """One step of a sequence."""

    kind: Kind
    atom: Atom


ANY: Final = Atom(frozenset(), negated=True)
IN_SEGMENT: Final = Atom(frozenset("/"), negated=True)
IN_LABEL: Final = Atom(frozenset("."), negated=True)
SLASH: Final = Atom(frozenset("/"), offered="/")

Items = tuple[Item, ...]
Language = tuple[Items, ...]
"""The union of its sequences; an empty tuple has no word."""

EVERYTHING: Final[Language] = ((Item(Kind.LOOP, ANY),),)


def literal(text: str) -> Items:
    """The sequence that spells `text` out."""
    return tuple(Item(Kind.ONE, Atom(frozenset(character), offered=character)) for character in text)


def loop(atom: Atom = ANY) -> Items:
    """The sequence of any characters of `atom`, none included."""
    return (Item(Kind.LOOP, atom),)


def starred(parts: Iterable[Items], atom: Atom = ANY) -> Items:
    """The sequences `parts`, with a loop between each two."""
    first, *rest = parts
    return first + tuple(item for part in rest for item in (*loop(atom), *part))


class Automaton:
    """A language, ready to run. Step with `step` from `start`; a state that meets `accept` has read a word."""

    __slots__ = ("_back", "_loops", "_masks", "_memo", "_next", "_ones", "_over", "accept", "sink", "start")

    def __init__(self, language: Iterable[Items]) -> None:
        self._ones: dict[Atom, int] = {}
        self._loops: dict[Atom, int] = {}
        self._back = self._next = self._over = self.accept = self.sink = start = 0
        self._masks: dict[str, tuple[int, int]] = {}
        self._memo: dict[tuple[int, str], int] = {}
        bit = 1
        for items in language:
            start |= bit
            for kind, atom in items:
                if kind is Kind.ONE:
                    self._ones[atom] = self._ones.get(atom, 0) | bit
                elif kind is Kind.LOOP:
                    self._loops[atom] = self._loops.get(atom, 0) | bit
                    self._next |= bit
                else:
                    self._ones[IN_SEGMENT] = self._ones.get(IN_SEGMENT, 0) | bit
                    self._over |= bit
                    bit <<= 1
                    self._loops[IN_SEGMENT] = self._loops.get(IN_SEGMENT, 0) | bit
                    self._back |= bit
                bit <<= 1
            self.accept |= bit
            if items and items[-1] == Item(Kind.LOOP, ANY):
                self.sink |= bit >> 1
            bit <<= 1
        self.start = self._close(start)

    def _close(self, states: int) -> int:
        while True:
            more = states | (states & self._next) << 1 | (states & self._over) << 2
            if more == states:
                return states
            states = more

    def step(self, states: int, character: str) -> int:
        """The states after one more character; 0: no word begins so."""
        found = self._memo.get((states, character))
        if found is None:
            masks = self._masks.get(character)
            if masks is None:
                ones = sum(mask for atom, mask in self._ones.items() if atom.accepts(character))
                loops = sum(mask for atom, mask in self._loops.items() if atom.accepts(character))
                masks = self._masks[character] = (ones, loops)
            moved = (states & masks[0]) << 1 | states & masks[1]
            if character == "/":
                moved |= (states & self._back) >> 1
            found = self._memo[states, character] = self._close(moved)
        return found

    def awaited(self, states: int) -> str:
        """The characters that these states wait for by name."""
        offered = "".join(atom.offered for atom, mask in self._ones.items() if states & mask)
        return offered + "/" if states & self._back else offered

    def accepts(self, word: str) -> bool:
        """Whether all of `word` belongs to the language."""
        states = self.start
        for character in word:
            states = self.step(states, character)
            if not states:
                return False
        return bool(states & self.accept)


class Form(Protocol):
    """What every word of a kind looks like, whatever the rules say: a path, a host, a tool's name."""

    @property
    def needed(self) -> str:
        """The characters without which no word of the kind can be made."""

    def step(self, state: int, character: str) -> int | None:
        """The state after one more character, from 0 on; None: no word begins so."""

    def accepts(self, state: int) -> bool:
        """Whether a word may end here."""


_State = tuple[tuple[int, ...], int, int]
"""The states inside, the states outside, and the state of the form."""


def shortest(inside: Sequence[Automaton], outside: Automaton, form: Form) -> str | None:
    """A shortest word of `form` in every language of `inside` and not in `outside`; None: there is none.

    FRESH stands in it where any character would do. Raises UndecidedError after STATES_MAX states.
    """
    first: _State = (tuple(automaton.start for automaton in inside), outside.start, 0)
    came: dict[_State, tuple[_State, str] | None] = {first: None}
    todo = deque([first])
    while todo:
        state = todo.popleft()
        within, without, at = state
        done = form.accepts(at) and not without & outside.accept
        if done and all(states & one.accept for states, one in zip(within, inside, strict=True)):
            return _spell(came, state)
        if without & outside.sink:
            continue
        offered = (one.awaited(states) for states, one in zip(within, inside, strict=True))
        for character in dict.fromkeys("".join(offered) + FRESH + form.needed):
            position = form.step(at, character)
            if position is None:
                continue
            moved = tuple(one.step(states, character) for states, one in zip(within, inside, strict=True))
            if not all(moved):
                continue
            reached = (moved, outside.step(without, character), position)
            if reached not in came:
                if len(came) >= STATES_MAX:
                    raise UndecidedError(f"more than {STATES_MAX:,} states")
                came[reached] = (state, character)
                todo.append(reached)
    return None


def _spell(came: dict[_State, tuple[_State, str] | None], end: _State) -> str:
    word = []
    step = came[end]
    while step is not None:
        state, character = step
        word.append(character)
        step = came[state]
    return "".join(reversed(word))
