"""The Bash sandbox: which commands run in it, and what that means for permissions.

A command is confined where the sandbox is on and nothing keeps the command out. With `autoAllowBashIfSandboxed` set to
true, and in every mode but plan, the client lets a confined command run by itself if the sandbox contains all it can
do. Deny rules for commands, ask rules for commands, and critical removals still hold; rules for paths and a bare ask
rule do not, for the sandbox sees to paths.

A call with `dangerouslyDisableSandbox`, where the settings let it out, runs by itself only if rules allow every part.
Sources: documents, 11; measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from toolaudit.model import Behavior, Mode, Outcome, ReasonType
from toolaudit.permissions.bash import guards, refusals, setters
from toolaudit.permissions.bash.analysis import Analysis
from toolaudit.permissions.bash.grants import Grant
from toolaudit.permissions.bash.parts import parts_of
from toolaudit.permissions.judgement import Objection

OVERRIDE = "dangerouslyDisableSandbox"
"""The field of a call that asks to run outside the sandbox."""

CONTAINED = "the sandbox contains all it can do"


class Confinement(Enum):
    """How the sandbox bears on a call."""

    NONE = auto()
    """It does not: it is off, or the command is excluded."""
    CONFINED = auto()
    """The command runs in it."""
    TRUSTED = auto()
    """The command runs in it, and may run by itself for that."""
    OVERRIDDEN = auto()
    """The call asks to run outside it, and may."""


def confinement(analysis: Analysis) -> Confinement:
    """How the sandbox of the policy bears on the call."""
    request = analysis.request
    sandbox = request.policy.sandbox
    if not sandbox.enabled:
        return Confinement.NONE
    # Few policies have a sandbox, and the modules about it cost every start.
    from toolaudit.permissions.bash.exclusions import excluded

    if excluded(analysis.reading, analysis.parts, sandbox.excluded_commands):
        return Confinement.NONE
    if sandbox.allow_unsandboxed and request.call.input.get(OVERRIDE) in (True, "true"):
        return Confinement.OVERRIDDEN
    trusted = sandbox.auto_allow and request.mode is not Mode.PLAN
    return Confinement.TRUSTED if trusted else Confinement.CONFINED


def contains(analysis: Analysis, outcomes: Sequence[Outcome]) -> bool:
    """Whether the sandbox contains all that a confined text can do.

    The stages of a text that is one pipeline are looked at one by one: `outcomes`, where there are any, say which of
    them may run anyway.
    """
    from toolaudit.permissions.bash import confined

    if refusals.refuse(analysis.reading, analysis.parts, refusals.TEXT_CHECKS) is not None:
        return False
    seen = confined.see_through(analysis.reading)
    if seen is None:
        return confined.row(analysis.reading, analysis.parts)
    parts = analysis.parts if seen is analysis.reading else parts_of(seen)
    refused = analysis.refused if seen is analysis.reading else refusals.refuse(seen, parts)
    if refused is not None:
        return confined.row(analysis.reading, analysis.parts)
    if setters.variables_set(seen):
        return False
    if outcomes and all(part.command.context == ("pipeline",) for part in parts):
        return all(
            outcome.behavior is Behavior.ALLOW or confined.harmless(part)
            for part, outcome in zip(parts, outcomes, strict=True)
        )
    return all(map(confined.harmless, parts))


def confirm(analysis: Analysis) -> tuple[Outcome, ...]:
    """What becomes of each part of a contained text."""
    return tuple(Outcome(part.text, Behavior.ALLOW, CONTAINED) for part in analysis.parts)


def override(analysis: Analysis, granted: Grant) -> Grant:
    """What stands against running outside the sandbox: any part that no rule allows, whatever the mode approves."""
    if granted.residue is None:
        rules = {outcome.rule for outcome in granted.outcomes}
        whole = granted.rule is not None and granted.rule not in rules
        silent = analysis.request.mode is Mode.AUTO and any(map(guards.redirects_output, analysis.parts))
        if whole or (None not in rules and not silent):
            return granted
    residue = Objection("the call asks to run outside the sandbox", ReasonType.SANDBOX_OVERRIDE)
    return Grant(residue, outcomes=granted.outcomes)
