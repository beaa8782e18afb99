"""Where the client lets something run that nobody granted: the decision follows the client, and a finding says so.

Every kind here was measured to be allowed; what bash does comes from the shell reader. A finding is made only of a text
that may be allowed, and it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.model import Behavior, Finding, Severity
from toolaudit.permissions.bash import removals
from toolaudit.permissions.bash.analysis import Analysis
from toolaudit.permissions.bash.grants import Grant
from toolaudit.permissions.bash.matching import command_rules
from toolaudit.permissions.bash.spellings import every_text, values_of
from toolaudit.shell.readonly import unchecked_option

ID = "client-gap"

EVALUATED = "bash decides at run time what this runs or changes, and the client lets it pass"
ENVIRONMENT = "a variable that changes how bash finds or runs programs is set, and what follows is granted all the same"
OPTION = "beside an unquoted glob the client checks no option of this program"
REDIRECTED = "a rule that spells out a list of commands also allows redirections that it does not name"
REMOVAL = "a critical removal that the client does not see"
DENIED = "a deny or ask rule names a program that this starts, and the client does not compare it"

HELP = "the decision is the client's; deny or ask for the outer command, or use a hook, to be asked"


def find(analysis: Analysis, granted: Grant) -> tuple[Finding, ...]:
    """The gaps in what may be allowed, each named with the command it is about, each kind once a command."""
    found = dict.fromkeys(_kinds(analysis, granted))
    return tuple(Finding(ID, Severity.WARNING, kind, HELP, witness=subject) for kind, subject in found)


def _kinds(analysis: Analysis, granted: Grant) -> Iterator[tuple[str, str]]:
    if granted.residue is None:
        yield from _granted(analysis, granted)
    if "rm" in analysis.text:
        for command in removals.unseen(analysis.reading, analysis.request.workspace, analysis.request.version):
            yield REMOVAL, command.text
    yield from _undenied(analysis)


def _granted(analysis: Analysis, granted: Grant) -> Iterator[tuple[str, str]]:
    """Gaps in what rules and read-only checks grant by themselves."""
    whole = granted.rule is not None and granted.rule not in {outcome.rule for outcome in granted.outcomes}
    if not whole:
        source = analysis.reading.text.encode("utf-8", "surrogatepass")
        for place in analysis.reading.evaluations:
            start, end = place.span
            kind = ENVIRONMENT if place.reason == "sensitive-variable" else EVALUATED
            yield kind, source[start:end].decode("utf-8", "replace")
    for part, outcome in zip(analysis.parts, granted.outcomes, strict=False):
        if outcome.rule is None and part.words and unchecked_option(part.words) is not None:
            yield OPTION, part.text
    for part, access, outcome in zip(analysis.parts, analysis.accesses, granted.outcomes, strict=False):
        if access.objection is not None and outcome.rule is not None:
            yield REDIRECTED, part.text


def _undenied(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Commands whose program a deny or ask rule names, where only a closer look would tell."""
    policy = analysis.request.policy
    lists = [rules for rules in (command_rules(policy, Behavior.DENY), command_rules(policy, Behavior.ASK)) if rules]
    if not lists:
        return
    values = values_of(analysis.reading, analysis.request.workspace)
    for command in removals.every_command(analysis.reading, values):
        if any(rules.match(every_text(command, values)) is not None for rules in lists):
            yield DENIED, command.text
