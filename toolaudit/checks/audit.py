from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Witness, witness
from toolaudit.analysis.languages import Directories
from toolaudit.model import Behavior, Decision, Finding, Fix, Mode, Policy, Rule, Severity, Source, ToolCall
from toolaudit.model.workspace import UnknownWorkspace, Workspace
from toolaudit.pipeline import decide
from toolaudit.settings.document import Document
from toolaudit.settings.errors import SettingsError, quote
from toolaudit.settings.rules import MANAGED_ONLY, UNTRUSTED


@dataclass(frozen=True, eq=False)
class Audit:
    """What the checks look at: the merged policy, the files it came from, and the machine, if one is known."""

    policy: Policy
    documents: tuple[Document, ...] = ()
    workspace: Workspace = field(default_factory=UnknownWorkspace)
    mode: Mode = Mode.DEFAULT
    file_mode: Callable[[str], int | None] | None = None
    """The mode bits of a file of this machine, None where it is not there; without it no file is looked at."""
    faults: tuple[SettingsError, ...] = ()
    """Files that can't be used at all."""

    @cached_property
    def written(self) -> tuple[Rule, ...]:
        """Every rule as written, those that are dead or not in force included, in the order of files and lists."""
        rules = (*self.policy.rules, *(rule for rule, _ in self.policy.ignored))
        return tuple(
            sorted(rules, key=lambda rule: (rule.source.file or "", rule.source.line or 0, rule.source.column or 0))
        )

    @cached_property
    def reasons(self) -> dict[Rule, str]:
        """Rule -> why it can never match, for those that can't."""
        return {rule: why for rule, why in self.policy.ignored if why not in (UNTRUSTED, MANAGED_ONLY)}

    @cached_property
    def directories(self) -> Directories:
        further = [directory.path for directory in self.policy.directories if directory.path != self.workspace.cwd]
        return Directories(self.workspace.cwd, self.workspace.home, tuple(dict.fromkeys(further)))

    def commands(self, *behaviors: Behavior) -> Iterator[tuple[Rule, str]]:
        """The rules in force for commands of Bash that have a specifier, with it."""
        for rule in self.policy.rules:
            if rule.tool == "Bash" and rule.specifier is not None and (not behaviors or rule.behavior in behaviors):
                yield rule, rule.specifier

    def decide(self, command: str) -> Decision:
        """What the policy makes of a command."""
        return decide(ToolCall("Bash", {"command": command}), self.policy, self.mode, self.workspace)

    def allows(self, command: str, rule: Rule) -> bool:
        """Whether `command` runs without anybody being asked, and by `rule`."""
        decision = self.decide(command)
        by = {decision.rule, *(outcome.rule for outcome in decision.subcommands)}
        return decision.behavior is Behavior.ALLOW and rule in by

    def witness(self, inside: Sequence[Rule], outside: Sequence[Rule] = ()) -> Witness | UndecidedError | None:
        """As `containment.witness`; what has no exact answer is returned as the reason why."""
        try:
            return witness(inside, outside, self.directories)
        except UndecidedError as error:
            return error


def about(
    rule: Rule,
    id: str,
    severity: Severity,
    message: str,
    help: str,
    *,
    related: Rule | None = None,
    witness: str = "",
    fix: Fix | None = None,
) -> Finding:
    """A finding about `rule`; `{}` in the message stands for the rule's behaviour and text."""
    text = message.replace("{}", f"{rule.behavior} {quote(rule.text)}")
    return Finding(id, severity, text, help, rule.source, rule, related, witness, fix)


def at(source: Source, id: str, severity: Severity, message: str, help: str) -> Finding:
    """A finding about another place of a file."""
    return Finding(id, severity, message, help, source)
