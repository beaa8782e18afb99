from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from toolaudit.model import Behavior, Mode, Policy, Rule
from toolaudit.permissions.bash.suspended import suspended
from toolaudit.rules.commands import CommandPattern, compile_specifier
from toolaudit.rules.names import tool_rules


class CommandRules:
    """The Bash rules of one behaviour, sorted so that a text is compared only with rules that may match it.

    A rule whose literal beginning holds a whole first word is found by that word; the others are tried each time.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_word: dict[str, list[tuple[int, CommandPattern, Rule]]] = {}
        self._anywhere: list[tuple[int, CommandPattern, Rule]] = []
        self.bare: Rule | None = None
        for order, rule in enumerate(rules):
            if rule.specifier is None:
                self.bare = self.bare or rule
                continue
            pattern = compile_specifier(rule.specifier)
            word, blank, _ = pattern.parts[0].partition(" ")
            if word and (blank or pattern.exact):
                self._by_word.setdefault(word, []).append((order, pattern, rule))
            else:
                self._anywhere.append((order, pattern, rule))

    def __bool__(self) -> bool:
        return bool(self._by_word or self._anywhere)

    def match(self, texts: Iterable[str]) -> Rule | None:
        """The first rule, by its place in the lists, that matches any of `texts`."""
        found = min(
            (hit for text in texts for hit in self._hits(text, exact_text=text)), key=lambda hit: hit[0], default=None
        )
        return found[1] if found else None

    def match_allow(self, spellings: Iterable[tuple[str, str]]) -> Rule | None:
        """The first rule that matches a (source slice, collapsed) spelling; exact rules look at the slice."""
        found = min(
            (hit for source, collapsed in spellings for hit in self._hits(collapsed, exact_text=source)),
            key=lambda hit: hit[0],
            default=None,
        )
        return found[1] if found else None

    def match_exact(self, text: str) -> Rule | None:
        """The rule that spells `text` out, if there is one."""
        hits = [(order, rule) for order, pattern, rule in self._candidates(text) if pattern.spells_out(text)]
        return min(hits, key=lambda hit: hit[0])[1] if hits else None

    def _hits(self, text: str, *, exact_text: str) -> Iterable[tuple[int, Rule]]:
        for order, pattern, rule in self._candidates(text):
            if pattern.matches(exact_text if pattern.exact else text):
                yield order, rule

    def _candidates(self, text: str) -> Iterable[tuple[int, CommandPattern, Rule]]:
        word = text.split(maxsplit=1)[0] if text.strip() else ""
        yield from self._by_word.get(word, ())
        yield from self._anywhere


@lru_cache(maxsize=256)
def command_rules(policy: Policy, behavior: Behavior) -> CommandRules:
    """The Bash rules of `policy` for one behaviour. Policies are compared by identity, so this costs one look-up."""
    rules = tool_rules(policy, behavior, "Bash")
    return CommandRules(rules.scoped if rules.bare is None else (rules.bare, *rules.scoped))


def allow_rules(policy: Policy, mode: Mode) -> CommandRules:
    """The Bash allow rules in force in `mode`: auto, and plan where it asks the same classifier, suspend some."""
    classified = mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)
    return _unsuspended_rules(policy) if classified else command_rules(policy, Behavior.ALLOW)


@lru_cache(maxsize=256)
def _unsuspended_rules(policy: Policy) -> CommandRules:
    if policy.auto.classify_all_shell:
        return CommandRules(())
    scoped = tool_rules(policy, Behavior.ALLOW, "Bash").scoped
    return CommandRules(rule for rule in scoped if rule.specifier is not None and not suspended(rule.specifier))
