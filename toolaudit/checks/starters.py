"""Allow rules that let a program run what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.analysis.languages import pattern_of
from toolaudit.analysis.starters import by_word
from toolaudit.checks.audit import Audit
from toolaudit.model import Behavior, Rule

HELP: Final = "name the exact commands that are needed"


def granted(audit: Audit, kind: str) -> Iterator[tuple[Rule, str]]:
    """The allow rules that let a command of `kind` run, whatever its `x` is, each with the command.

    Deny-aware: the policy as a whole must allow the command, and by this rule.
    """
    commands_of = by_word(kind)
    for rule in audit.policy.rules_for(Behavior.ALLOW):
        pattern = pattern_of(rule) if rule.tool == "Bash" else None
        if pattern is None or pattern.exact:
            continue
        word, blank, _ = pattern.parts[0].partition(" ")
        names = [word] if blank else [name for name in commands_of if name.startswith(word)] if word else []
        commands = (command for name in names for command in commands_of.get(name, ()) if pattern.matches(command))
        command = next((text for text in commands if audit.allows(text, rule)), None)
        if command is not None:
            yield rule, command
