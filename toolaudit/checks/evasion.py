"""A deny or ask rule with a known way around it.

What the rule forbids was said differently, by one of the rewrites of `toolaudit fuzz`, and the client lets
it run, or only asks. The command shown starts the very program that the rule is about, by the shell reader's word;
`toolaudit fuzz` searches further and asks a real bash.

Widen the rule, or deny the way around as well. A rule is no boundary for programs that run what they are told: that is
the sandbox's work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.fuzz import evasion, rewrites
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.specimens import specimens
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Finding, Rule, Severity

ID = "TA040"
SEVERITY = Severity.ERROR

MOST: Final = 400
"""Rules that are tried; each costs some ten milliseconds."""

OTHERWISE: Final = tuple(name for name, family in rewrites.FAMILIES.items() if family == "arguments")
"""Rewrites of the words themselves: other options, another path to the program."""

ASKING: Final = ("bash-c", "xargs", "find-exec")
"""Programs to try where none is allowed that would start another."""


def find(audit: Audit) -> Iterator[Finding]:
    trial = Trial(audit.policy, audit.mode, audit.workspace, None)
    rules = [rule for rule, _ in audit.commands(Behavior.DENY, Behavior.ASK)]
    ways = (*_open(trial), *OTHERWISE, *ASKING) if rules else ()
    for rule in rules[:MOST]:
        found = _around(rule, ways, trial)
        if found is not None:
            behavior, name, command = found
            runs = behavior is Behavior.ALLOW
            message = (
                "{} is got around by " + name.replace("_", " ") + (", and it runs" if runs else ", and it only asks")
            )
            severity = SEVERITY if runs else Severity.NOTE
            yield about(rule, ID, severity, message, "widen the rule, or deny this way too", witness=command)


def _open(trial: Trial) -> list[str]:
    """The programs that this policy lets start another, by the name of their rewrite."""
    tried = ((name, rewrites.rewrite(("zz", "z"), [name], Dice(0))) for name in rewrites.BY_PROGRAM)
    return [name for name, command in tried if trial.decide(command.text).behavior is Behavior.ALLOW]


def _around(rule: Rule, ways: Sequence[str], trial: Trial) -> tuple[Behavior, str, str] | None:
    """The way that gets furthest: what becomes of it, the rewrite, the command."""
    forbidden = specimens(rule, trial)
    asks: tuple[Behavior, str, str] | None = None
    for name in ways if forbidden else ():
        command = rewrites.rewrite(forbidden[0], [name], Dice(0))
        severity = evasion.passes(rule, command.text, trial) if command.rewrites else None
        if severity not in (Severity.ERROR, Severity.WARNING) or (severity is Severity.WARNING and asks is not None):
            continue
        if not evasion.runs_forbidden(rule, forbidden, command.text, trial):
            continue
        if severity is Severity.ERROR:
            return Behavior.ALLOW, name, command.text
        asks = (Behavior.ASK, name, command.text)
    return asks
