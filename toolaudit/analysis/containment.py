"""Which calls a rule covers and others do not: containment, intersection and emptiness, with a witness.

Everything is one question, `witness(inside, outside)`: a call that every rule of `inside` covers and none of `outside`.

    A is within B or C    witness([A], [B, C]) is None     `contained`
    A and B never meet    witness([A, B]) is None          `disjoint`
    A covers nothing      witness([A]) is None             `empty`

The answer is exact for single commands, paths, hosts, names of tools and parameters. It is about rules alone, each on
its own: how a command text falls into commands, what needs no permission, modes, hooks and protected paths are the
resolver's to say. Whoever shows a witness as a fact replays it first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from toolaudit.analysis.automaton import FRESH, Automaton, Form, shortest
from toolaudit.analysis.languages import (
    MAIN,
    MCP,
    Directories,
    Same,
    Space,
    canonical_words,
    covering,
    form_of,
    main_space,
    matches,
    pattern_of,
    readings,
)
from toolaudit.model import Rule, ToolCall
from toolaudit.rules import grammar
from toolaudit.rules.commands import CommandPattern, collapse_blanks

HERE: Final = Directories()
"""The directories of no machine in particular."""

_FILLINGS: Final = ("x", "z", "q", "7", "k", "w", "v", "j", "y", "é", "ß", "λ")
_NEEDED: Final = MappingProxyType({"Bash": {"command": "true"}, "WebFetch": {"prompt": "x"}})
"""Tool -> parameters that a call is given besides the one in question."""

_SHORTENED_MAX: Final = 12
"""Stars of a rule up to which the shortest filling is looked for."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A call, told by the one text that matters."""

    space: Space
    text: str

    @property
    def call(self) -> ToolCall:
        """The call in full, to be replayed."""
        tool, parameter = self.space
        if self.space == MCP:
            return ToolCall(self.text, {})
        needed: dict[str, Any] = dict(_NEEDED.get(tool, {}))
        if parameter == "url":
            return ToolCall(tool, {**needed, "url": f"https://{self.text}/"})
        return ToolCall(tool, {**needed, parameter: self.text} if parameter else needed)

    def __str__(self) -> str:
        if self.space == MCP or not self.space.parameter:
            return self.text or self.space.tool
        own = MAIN.get(self.space.tool) == self.space.parameter
        return f"{self.space.tool}: {self.text}" if own else f"{self.space.tool}({self.space.parameter}: {self.text})"


class Others:
    """Rules that a witness must avoid, made ready for many questions."""

    __slots__ = ("_anywhere", "_bare", "_by_word", "_directories", "_rules", "_unions")

    def __init__(self, rules: Iterable[Rule], directories: Directories = HERE) -> None:
        self._rules = tuple(rules)
        self._directories = directories
        self._unions: dict[Space, Automaton] = {}
        self._bare = [rule for rule in self._rules if rule.specifier is None]
        self._by_word: dict[tuple[str, str], list[CommandPattern]] = {}
        self._anywhere: dict[str, list[CommandPattern]] = {}
        for rule in self._rules:
            pattern = pattern_of(rule)
            if pattern is None:
                continue
            word, blank, _ = pattern.parts[0].partition(" ")
            if word and (blank or pattern.exact):
                self._by_word.setdefault((rule.tool, word), []).append(pattern)
            else:
                self._anywhere.setdefault(rule.tool, []).append(pattern)

    def cover_tool(self, tool: str) -> bool:
        """Whether one of the rules is for the whole tool."""
        return any(grammar.governs(rule, tool) for rule in self._bare)

    def cover_command(self, tool: str, command: str) -> bool:
        """Whether a rule with a specifier covers `command`."""
        patterns = (*self._by_word.get((tool, command.partition(" ")[0]), ()), *self._anywhere.get(tool, ()))
        return any(matches(pattern, command) for pattern in patterns)

    def union(self, space: Space) -> Automaton:
        """All that the rules cover in `space`."""
        found = self._unions.get(space)
        if found is None:
            found = Automaton(items for rule in self._rules for items in covering(rule, space, self._directories))
            self._unions[space] = found
        return found


def witness(
    inside: Sequence[Rule], outside: Iterable[Rule] | Others = (), directories: Directories = HERE
) -> Witness | None:
    """A shortest call that all of `inside` cover and none of `outside`; None: a proof that there is none.

    Takes rules in force (those of which `grammar.dead` says nothing), at least one inside. Raises UndecidedError where
    the question has no exact answer here.
    """
    return next(witnesses(inside, outside, directories), None)


def witnesses(
    inside: Sequence[Rule], outside: Iterable[Rule] | Others = (), directories: Directories = HERE
) -> Iterator[Witness]:
    """As `witness`, one for each space in which there is one: each tool that the rules are for, each parameter."""
    without = outside if isinstance(outside, Others) else Others(outside, directories)
    for space in spaces(inside, directories):
        found = _within(space, tuple(inside), without, directories)
        if found is not None:
            yield found


def contained(rule: Rule, others: Iterable[Rule], directories: Directories = HERE) -> bool:
    """Whether `others` together cover every call that `rule` covers."""
    return witness((rule,), others, directories) is None


def disjoint(one: Rule, other: Rule, directories: Directories = HERE) -> bool:
    """Whether no call is covered by both rules."""
    return witness((one, other), (), directories) is None


def empty(rule: Rule, directories: Directories = HERE) -> bool:
    """Whether `rule` covers no call at all."""
    return witness((rule,), (), directories) is None


def covers(rule: Rule, seen: Witness, directories: Directories = HERE) -> bool:
    """Whether `rule` covers the call of a witness."""
    pattern = pattern_of(rule)
    if pattern is not None and rule.tool == seen.space.tool and seen.space.parameter == "command":
        return matches(pattern, seen.text)
    return _automaton(Same(rule), seen.space, directories).accepts(seen.text)


def spaces(rules: Sequence[Rule], directories: Directories = HERE) -> Iterator[Space]:
    """The spaces in which calls that all of `rules` cover can be told apart."""
    scoped = [rule for rule in rules if rule.specifier is not None]
    if scoped:
        yield from (space for space, _ in readings(scoped[0], directories))
        return
    tools = [rule.tool for rule in rules if "*" not in rule.tool and not rule.tool.startswith("mcp__")]
    for tool in tools[:1] or sorted(grammar.TOOLS):
        if all(grammar.governs(rule, tool) for rule in rules):
            yield main_space(tool)
    if not tools:
        yield MCP


def _within(space: Space, inside: tuple[Rule, ...], outside: Others, directories: Directories) -> Witness | None:
    if space.parameter == "command":
        patterns = [pattern for rule in inside if (pattern := pattern_of(rule)) is not None]
        if len(patterns) == 2:
            patterns = _narrowed(*patterns)
            if not patterns:
                return None
        exact = next((pattern for pattern in patterns if pattern.exact), None)
        if patterns and (exact is not None or len(patterns) == 1):
            return _command(space, exact or patterns[0], patterns, outside)
        if outside.cover_tool(space.tool):
            return None
    if not all(covering(rule, space, directories) for rule in inside):
        return None
    automata = [_automaton(Same(rule), space, directories) for rule in inside]
    without, form = outside.union(space), form_of(space)
    word = shortest(automata, without, form)
    return None if word is None else Witness(space, _filled(word, automata, without, form))


def _narrowed(one: CommandPattern, other: CommandPattern) -> list[CommandPattern]:
    """Fewer patterns that cover what both do: the narrower where one is within the other, none where they plainly part.

    The canonical words decide the first; what every word of a pattern begins and ends with, the second.
    """
    if all(matches(other, word) for word in canonical_words(one)):
        return [one]
    if all(matches(one, word) for word in canonical_words(other)):
        return [other]
    begins, ends = sorted((_stem(one), _stem(other)), key=len), sorted((one.parts[-1], other.parts[-1]), key=len)
    parted = not begins[1].startswith(begins[0]) or not ends[1].endswith(ends[0])
    return [] if parted and not (one.exact or other.exact) else [one, other]


def _stem(pattern: CommandPattern) -> str:
    return pattern.parts[0][:-1] if pattern.optional_tail else pattern.parts[0]


def _command(
    space: Space, pattern: CommandPattern, inside: Sequence[CommandPattern], outside: Others
) -> Witness | None:
    """A command of `pattern`, which is exact or the only one inside.

    Its canonical word decides by one comparison with each rule, without any automaton.
    """
    if outside.cover_tool(space.tool):
        return None

    def free(word: str) -> bool:
        return all(matches(one, word) for one in inside) and not outside.cover_command(space.tool, word)

    parts = pattern.parts
    if pattern.exact:
        return Witness(space, parts[0]) if parts[0] and free(parts[0]) else None
    if pattern.optional_tail and parts[0][:-1] and free(parts[0][:-1]):
        return Witness(space, parts[0][:-1])
    if not free(FRESH.join(parts)):
        return None
    stars = range(1, len(parts))
    filling = next((one for one in _FILLINGS if free(one.join(parts))), FRESH)
    for size in range(len(parts) if len(parts) <= _SHORTENED_MAX else 0):
        for kept in combinations(stars, size):
            word = parts[0] + "".join((filling if at in kept else "") + parts[at] for at in stars)
            if word and collapse_blanks(word) == word and free(word):
                return Witness(space, word)
    return Witness(space, filling.join(parts))


def _formed(word: str, form: Form) -> bool:
    state = 0
    for character in word:
        moved = form.step(state, character)
        if moved is None:
            return False
        state = moved
    return form.accepts(state)


def _filled(word: str, inside: Sequence[Automaton], outside: Automaton, form: Form) -> str:
    """`word` with a character for FRESH that a reader can type, and that changes nothing."""
    for filling in _FILLINGS if FRESH in word else ():
        shown = word.replace(FRESH, filling)
        if _formed(shown, form) and not outside.accepts(shown) and all(one.accepts(shown) for one in inside):
            return shown
    return word


@lru_cache(maxsize=16_384)
def _automaton(same: Same, space: Space, directories: Directories) -> Automaton:
    return Automaton(covering(same.rule, space, directories))
