"""Rules that others leave nothing of.

Containment of star rules is containment in one of them (the canonical-word argument), so the one that covers a rule can
be named. Paths and hosts may be covered by several together; then the first of those is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Witness, covers, witness
from toolaudit.analysis.languages import Directories, canonical_words, matches, pattern_of, readings
from toolaudit.model import Rule
from toolaudit.rules import grammar


def covered(rules: Sequence[Rule], others: Sequence[Rule], directories: Directories) -> Iterator[tuple[Rule, Rule]]:
    """Each of `rules` that `others` cover wholly, with the rule that does; takes rules in force.

    A rule is never held against itself, and of two that cover each other the one written first stays. What has no exact
    answer is left out.
    """
    place = {id(rule): at for at, rule in enumerate(others)}
    for rule in rules:
        over = _over(rule, others, place, directories)
        if over is not None:
            yield rule, over


def _over(rule: Rule, others: Sequence[Rule], place: dict[int, int], directories: Directories) -> Rule | None:
    own = place.get(id(rule))
    rivals = [other for other in others if other is not rule and _may_cover(other, rule)]
    words = _words(rule)
    for other in rivals:
        if not _covers(other, rule, words, directories):
            continue
        # Of two equal rules, the later one is needless.
        later = own is not None and place[id(other)] > own and _covers(rule, other, _words(other), directories)
        if not later:
            return other
    if words is not None or own is not None or len(rivals) < 2:
        return None
    return rivals[0] if _within(rule, rivals, directories) else None


def _may_cover(other: Rule, rule: Rule) -> bool:
    if "*" in other.tool or other.tool.startswith("mcp__"):
        return other.specifier is None
    return other.tool == rule.tool


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
        own = _example(rule, directories)
        if own is None or not any(covers(other, own, directories) for other in others):
            return False
        return witness((rule,), others, directories) is None
    except UndecidedError:
        return False


@lru_cache(maxsize=8192)
def _example(rule: Rule, directories: Directories) -> Witness | None:
    """A call that `rule` covers: whoever does not cover it does not cover the rule."""
    return witness((rule,), (), directories)
