from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from toolaudit.model import Behavior, Mode, Policy, Rule
from toolaudit.permissions.powershell.aliases import canonical_text, suspected
from toolaudit.permissions.powershell.statement import Statement
from toolaudit.rules.commands import CommandPattern, collapse_blanks, compile_specifier
from toolaudit.rules.names import tool_rules

STARTERS: Final = frozenset(
    """
    add-type bash bun bunx cmd cscript deno dotnet foreach-object invoke-command invoke-expression invoke-item
    mshta new-object node npx perl php pnpx powershell pwsh py python regsvr32 ruby rundll32 runas sh ssh
    start-job start-process sudo wscript wsl
    """.split()
)
"""Commands that run what their arguments say; a version may follow the name."""

RUNNERS: Final = ("npm run", "npm exec", "yarn run", "pnpm run", "pnpm exec", "bun run")
"""Package managers' commands that start a script or a program by name."""


class CommandRules:
    """The PowerShell rules of one behaviour, compared in lower case and under full names (documents, 3.1)."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.bare: Rule | None = None
        self._scoped: list[tuple[CommandPattern, Rule]] = []
        for rule in rules:
            if rule.specifier is None:
                self.bare = self.bare or rule
            else:
                self._scoped.append((compile_specifier(canonical_text(rule.specifier.strip())), rule))

    def __bool__(self) -> bool:
        return bool(self._scoped)

    def match(self, texts: Iterable[str]) -> Rule | None:
        """The first rule, by its place in the lists, that matches any of `texts`; they are in lower case."""
        spellings = [(text, collapse_blanks(text)) for text in texts]
        for pattern, rule in self._scoped:
            if any(pattern.matches(text if pattern.exact else collapsed) for text, collapsed in spellings):
                return rule
        return None

    def match_exact(self, text: str) -> Rule | None:
        """The rule that spells `text` out, if there is one."""
        return next((rule for pattern, rule in self._scoped if pattern.spells_out(text)), None)


def spellings(statement: Statement) -> tuple[str, ...]:
    """How rules for granting may spell a statement: as written, and with the cmdlet's full name."""
    spelled = statement.spelled
    return tuple(dict.fromkeys((spelled.lower(), canonical_text(spelled))))


def suspect_spellings(statement: Statement) -> tuple[str, ...]:
    """How rules for refusing may spell it: also with quotes removed, and by the last segment of the program's path."""
    values = [word.value for word in statement.words[1:]]
    names = (statement.name.lower(), suspected(statement.name))
    rests = (" ".join([word.text for word in statement.words[1:]]), " ".join(values))
    unquoted = [f"{name} {rest}".rstrip().lower() for name in names for rest in rests]
    return tuple(dict.fromkeys((*spellings(statement), *unquoted)))


@lru_cache(maxsize=256)
def command_rules(policy: Policy, behavior: Behavior) -> CommandRules:
    """The PowerShell rules of `policy` for one behaviour. Policies are compared by identity."""
    rules = tool_rules(policy, behavior, "PowerShell")
    return CommandRules(rules.scoped if rules.bare is None else (rules.bare, *rules.scoped))


def allow_rules(policy: Policy, mode: Mode) -> CommandRules:
    """The allow rules in force in `mode`: auto, and plan where it asks the same classifier, suspend some."""
    classified = mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)
    return _unsuspended_rules(policy) if classified else command_rules(policy, Behavior.ALLOW)


@lru_cache(maxsize=256)
def _unsuspended_rules(policy: Policy) -> CommandRules:
    if policy.auto.classify_all_shell:
        return CommandRules(())
    scoped = tool_rules(policy, Behavior.ALLOW, "PowerShell").scoped
    return CommandRules(rule for rule in scoped if rule.specifier is not None and not suspended(rule.specifier))


def suspended(specifier: str) -> bool:
    """Whether mode auto sets aside an allow rule with this specifier: it would start any program (documents, 9.5.4)."""
    pattern = compile_specifier(canonical_text(specifier.strip()))
    if pattern.exact:
        return False
    program, blank, rest = pattern.parts[0].partition(" ")
    name = suspected(program)
    starts = name.rstrip("0123456789.") in STARTERS
    if not blank:
        return starts or any(starter.startswith(name) for starter in STARTERS)
    if starts:
        return rest == "" or rest.startswith(("-", "/"))
    return f"{name} {rest.rstrip()}" in RUNNERS
