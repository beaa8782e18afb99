from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from toolaudit.model import Behavior, Mode, Policy, Rule
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.permissions.bash.suspended import suspended
from toolaudit.rules.commands import CommandPattern, compile_specifier
from toolaudit.rules.names import tool_rules


class _Entry(NamedTuple):
    order: int
    """The rule's place in the lists."""
    pattern: CommandPattern
    rule: Rule


class CommandRules:
    """The Bash rules of one behaviour, sorted so that a text is compared only with rules that may match it.

    A rule without a star is found by its text. One with a star is found by the whole words that its literal beginning
    holds, two of them at the most; where it holds none, the rule is tried each time.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._exact: dict[str, _Entry] = {}
        self._spelled_out: dict[str, _Entry] = {}
        """Exact rules by their text, and rules that end in `:*` by what stands before that."""
        self._by_words: dict[str, list[_Entry]] = {}
        self._anywhere: list[_Entry] = []
        self.bare: Rule | None = None
        for order, rule in enumerate(rules):
            if rule.specifier is None:
                self.bare = self.bare or rule
                continue
            pattern = compile_specifier(rule.specifier)
            entry = _Entry(order, pattern, rule)
            beginning = pattern.parts[0]
            if pattern.exact:
                self._exact.setdefault(beginning, entry)
                self._spelled_out.setdefault(beginning, entry)
                continue
            if pattern.prefix:
                self._spelled_out.setdefault(beginning[:-1], entry)
            words = beginning.split(" ")[:-1]
            (self._by_words.setdefault(" ".join(words[:2]), []) if words else self._anywhere).append(entry)

    def __bool__(self) -> bool:
        return bool(self._exact or self._by_words or self._anywhere)

    def match(self, texts: Iterable[str]) -> Rule | None:
        """The first rule, by its place in the lists, that matches any of `texts`."""
        found: _Entry | None = None
        for text in texts:
            found = self._first(text, text, found)
        return found and found.rule

    def match_allow(self, spellings: Iterable[tuple[str, str]]) -> Rule | None:
        """The first rule that matches a (source slice, collapsed) spelling; exact rules look at the slice."""
        found: _Entry | None = None
        for source, collapsed in spellings:
            found = self._first(source, collapsed, found)
        return found and found.rule

    def match_exact(self, text: str) -> Rule | None:
        """The rule that spells `text` out, if there is one."""
        found = self._spelled_out.get(text)
        return found and found.rule

    def _first(self, exact_text: str, text: str, found: _Entry | None) -> _Entry | None:
        """The first rule that matches, or `found` where that one comes before it."""
        exact = self._exact.get(exact_text)
        if exact is not None and (found is None or exact.order < found.order):
            found = exact
        words = text.split(" ", 2)
        groups = [self._by_words.get(words[0]), self._anywhere]
        if len(words) > 1:
            groups.append(self._by_words.get(f"{words[0]} {words[1]}"))
        for entries in groups:
            for entry in entries or ():
                if found is not None and entry.order > found.order:
                    break
                if entry.pattern.matches(text):
                    found = entry
                    break
        return found


@lru_cache(maxsize=256)
def command_rules(policy: Policy, behavior: Behavior) -> CommandRules:
    """The Bash rules of `policy` for one behaviour. Policies are compared by identity, so this costs one look-up."""
    rules = tool_rules(policy, behavior, "Bash")
    return CommandRules(rules.scoped if rules.bare is None else (rules.bare, *rules.scoped))


def allow_rules(policy: Policy, mode: Mode, version: Version = NEWEST) -> CommandRules:
    """The Bash allow rules in force in `mode`: auto, and plan where it asks the same classifier, suspend some."""
    classified = mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)
    if not classified:
        return command_rules(policy, Behavior.ALLOW)
    return _unsuspended_rules(policy, version.has(Difference.SUSPENDS_BY_MEANING))


@lru_cache(maxsize=256)
def _unsuspended_rules(policy: Policy, by_meaning: bool) -> CommandRules:
    if policy.auto.classify_all_shell:
        return CommandRules(())
    scoped = tool_rules(policy, Behavior.ALLOW, "Bash").scoped
    return CommandRules(
        rule for rule in scoped if rule.specifier is not None and not suspended(rule.specifier, by_meaning)
    )
