"""Rules by the tool their name covers: bare names, globs of names, MCP servers; and parameter rules among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from toolaudit.model import Behavior, Policy, Rule
from toolaudit.rules import grammar
from toolaudit.structs import Struct


class ToolRules(Struct):
    """The rules of one behaviour whose name covers one tool."""

    bare: Rule | None
    """The first without a specifier."""
    scoped: tuple[Rule, ...]
    """Those with a specifier, in policy order."""
    fields: frozenset[str]
    """What the parameter rules among them speak of."""

    def find(self, input: Mapping[str, object]) -> Rule | None:
        """The bare rule, or else the first parameter rule that the raw input of a call meets."""
        return self.bare or self.find_parameter(input)

    def find_parameter(self, input: Mapping[str, object]) -> Rule | None:
        """The first parameter rule that the raw input of a call meets."""
        if self.fields.isdisjoint(input):
            return None
        return next((rule for rule in self.scoped if grammar.has_parameter(rule, input)), None)


@lru_cache(maxsize=4096)
def tool_rules(policy: Policy, behavior: Behavior, tool: str) -> ToolRules:
    """Takes the canonical name of a tool. Policies are compared by identity, so this costs one look-up."""
    rules = [rule for rule in policy.rules_for(behavior) if grammar.governs(rule, tool)]
    bare = next((rule for rule in rules if rule.specifier is None), None)
    scoped = tuple(rule for rule in rules if rule.specifier is not None)
    return ToolRules(bare, scoped, frozenset(wanted[0] for wanted in map(grammar.parameter, scoped) if wanted))
