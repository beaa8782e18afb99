from __future__ import annotations

from toolaudit.model import Behavior, Mode, Outcome, ReasonType
from toolaudit.permissions.bash import gaps, guards, removals, rulings, sandbox
from toolaudit.permissions.bash.analysis import Analysis, analyse
from toolaudit.permissions.bash.grants import Grant, allows, grant
from toolaudit.permissions.bash.matching import allow_rules
from toolaudit.permissions.bash.sandbox import Confinement
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request
from toolaudit.structs import replace


def judge(request: Request) -> Judgement:
    """The Bash tool's own check of one command text."""
    if not isinstance(request.call.input.get("command"), str):
        return Judgement(residue=Objection("the call names no command", ReasonType.OTHER))
    analysis = analyse(request)
    granted = grant(analysis)
    confinement = sandbox.confinement(analysis)
    trusted = confinement is Confinement.TRUSTED
    contained = trusted and sandbox.contains(analysis, granted.outcomes)
    denied = rulings.denied(analysis, granted.residue, contained=contained)
    if denied is not None:
        return Judgement(denied=denied, outcomes=_marked(granted.outcomes, denied, Behavior.DENY))
    critical = removals.find(analysis.reading, request.here, request.version, request.mode)
    if contained:
        asked = rulings.asked(analysis, granted.residue, None, trusted=True, contained=True)
        return Judgement(
            asked=_critical_first(asked, critical),
            critical=critical,
            granted=sandbox.CONTAINED,
            outcomes=sandbox.confirm(analysis),
        )
    overridden = confinement is Confinement.OVERRIDDEN
    standing = sandbox.override(analysis, granted) if overridden else granted
    unsafe = _unsafe(analysis, granted)
    asked = rulings.asked(analysis, granted.residue, unsafe or standing.residue, trusted=trusted)
    if not overridden:
        standing = _lifted(standing, request)
    residue = standing.residue
    if residue is not None and request.mode is Mode.PLAN:
        residue = replace(residue, hook_liftable=False)
    return Judgement(
        asked=_critical_first(asked, critical),
        critical=critical,
        unsafe=unsafe,
        residue=residue,
        granted=standing.why,
        rule=standing.rule,
        outcomes=granted.outcomes if asked is None else _marked(granted.outcomes, asked, Behavior.ASK),
        findings=gaps.find(analysis, granted) if residue is None or request.mode is Mode.BYPASS else (),
    )


def _unsafe(analysis: Analysis, granted: Grant) -> Objection | None:
    """What a safety check says: of a path, or of a text that nothing else stands against."""
    unsafe = next((access.always for access in analysis.accesses if access.always is not None), None)
    for text in analysis.texts:
        if unsafe is None and text.accesses and text.guarded is None:
            unsafe = next((access.unsafe for access in text.accesses if access.unsafe is not None), None)
    if unsafe is None:
        return _deferred(analysis, granted)
    several = granted.residue is not None and granted.residue.reason_type is ReasonType.SUBCOMMAND_RESULTS
    return replace(unsafe, reason_type=ReasonType.SUBCOMMAND_RESULTS) if several and not analysis.piped else unsafe


def _deferred(analysis: Analysis, granted: Grant) -> Objection | None:
    """`&` where nothing else stands against the text, or against what stands between two pipes of it (measured)."""
    if not analysis.deferred or analysis.refused is not None:
        return None
    why = "`&` defers execution past the checks"
    if not analysis.piped:
        return Objection(why, ReasonType.SAFETY_CHECK) if granted.settled else None
    if guards.moves_repository(analysis.parts, analysis.request.here):
        return None
    settled = any(allows(between) for between in analysis.deferring())
    return Objection(why, ReasonType.SUBCOMMAND_RESULTS) if settled else None


def _lifted(granted: Grant, request: Request) -> Grant:
    """The same once a rule for the whole tool has had its say."""
    bare = allow_rules(request.policy, request.mode, request.version).bare
    if granted.residue is None or bare is None:
        return granted
    return replace(granted, residue=None, why=f"rule {bare.text} allows the whole tool", rule=bare)


def _critical_first(asked: Objection | None, critical: Objection | None) -> Objection | None:
    """What an ask rule says, with the reason the client gives: a critical removal is the first it names."""
    if asked is None or critical is None:
        return asked
    return replace(asked, why=critical.why, reason_type=critical.reason_type)


def _marked(outcomes: tuple[Outcome, ...], stopped: Objection, behavior: Behavior) -> tuple[Outcome, ...]:
    """The parts' outcomes, with that of the part which a rule stops."""
    return tuple(
        Outcome(outcome.subject, behavior, stopped.why, stopped.rule) if outcome.subject == stopped.subject else outcome
        for outcome in outcomes
    )
