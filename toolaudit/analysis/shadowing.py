"""Rules that others leave nothing of.

Containment of star rules is containment in one of them (the canonical-word argument), so the one that covers a rule can
be named. Paths and hosts may be covered by several together; then the first of those is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Witness, covers, witness
from toolaudit.analysis.languages import Directories, Same, canonical_words, matches, pattern_of, readings
from toolaudit.model import Rule
from toolaudit.rules import grammar

RIVALS_MAX: Final = 400
"""Rules of one tool, other than for commands, that a rule is held against; a hostile file has more."""


def covered(rules: Sequence[Rule], others: Sequence[Rule], directories: Directories) -> Iterator[tuple[Rule, Rule]]:
    """Each of `rules` that `others` cover wholly, with the rule that does; takes rules in force.

    A rule is never held against itself, and of two that cover each other the one written first stays. What has no exact
    answer is left out.
    """
    rivals = _Rivals(others)
    for rule in rules:
        over = _over(rule, rivals, directories)
        if over is not None:
            yield rule, over


class _Rivals:
    """Rules that may cover others, found by what they have in common with a rule."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.place = {id(rule): at for at, rule in enumerate(rules)}
        self._wide: list[Rule] = []
        self._by_tool: dict[str, list[Rule]] = {}
        self._by_word: dict[tuple[str, str], list[Rule]] = {}
        for rule in rules:
            if "*" in rule.tool or rule.tool.startswith("mcp__"):
                self._wide.append(rule)
                continue
            pattern = pattern_of(rule)
            word, blank, _ = pattern.parts[0].partition(" ") if pattern is not None else ("", "", "")
            if pattern is not None and word and (blank or pattern.exact):
                self._by_word.setdefault((rule.tool, word), []).append(rule)
            else:
                self._by_tool.setdefault(rule.tool, []).append(rule)

    def of(self, rule: Rule, words: tuple[str, ...] | None) -> list[Rule]:
        """The rules that may cover `rule`, in their order; `words` are its canonical words."""
        first = {word.partition(" ")[0] for word in words or ()}
        named = self._by_word.get((rule.tool, first.pop()), []) if len(first) == 1 else []
        tool = self._by_tool.get(rule.tool, [])[:RIVALS_MAX]
        wide = [one for one in self._wide[:RIVALS_MAX] if one.specifier is None]
        found = [one for one in chain(named, tool, wide) if one is not rule]
        return sorted(found, key=lambda one: self.place[id(one)])


def _over(rule: Rule, rivals: _Rivals, directories: Directories) -> Rule | None:
    own = rivals.place.get(id(rule))
    words = _words(rule)
    found = rivals.of(rule, words)
    for other in found:
        if not _covers(other, rule, words, directories):
            continue
        # Of two equal rules, the later one is needless.
        later = own is not None and rivals.place[id(other)] > own
        if not (later and _covers(rule, other, _words(other), directories)):
            return other
    if words is not None or own is not None or len(found) < 2:
        return None
    return found[0] if _within(rule, found, directories) else None


def _words(rule: Rule) -> tuple[str, ...] | None:
    """The canonical words of a rule for commands; None for any other rule."""
    pattern = pattern_of(rule)
    return None if pattern is None else canonical_words(pattern)


def _covers(other: Rule, rule: Rule, words: tuple[str, ...] | None, directories: Directories) -> bool:
    if other.specifier is None:
        return grammar.governs(other, rule.tool) if "*" not in rule.tool else _within(rule, (other,), directories)
    if words is None or len(readings(rule, directories)) > 1:
        return rule.specifier is not None and _within(rule, (other,), directories)
    pattern = pattern_of(other)
    return pattern is not None and words != () and all(matches(pattern, word) for word in words)


def _within(rule: Rule, others: Sequence[Rule], directories: Directories) -> bool:
    try:
        own = _example(Same(rule), directories)
        if own is None or not any(covers(other, own, directories) for other in others):
            return False
        return witness((rule,), others, directories) is None
    except UndecidedError:
        return False


@lru_cache(maxsize=8192)
def _example(same: Same, directories: Directories) -> Witness | None:
    """A call that the rule covers: whoever does not cover it does not cover the rule."""
    return witness((same.rule,), (), directories)
