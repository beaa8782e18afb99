from __future__ import annotations

from typing import Final

from toolaudit.model import Behavior, Mode, Outcome, ReasonType
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.powershell import rulings
from toolaudit.permissions.powershell.analysis import analyse
from toolaudit.permissions.powershell.grants import grant
from toolaudit.permissions.powershell.matching import allow_rules
from toolaudit.permissions.request import Request
from toolaudit.structs import replace

MAX_READ: Final = 1 << 17
"""How many characters are taken apart: no system passes more to a program as one argument."""


def judge(request: Request) -> Judgement:
    """The PowerShell tool's own check of one command text.

    A text above MAX_READ is refused like a critical removal, since deny rules can't be held against it in bounded time.
    """
    text = request.call.input.get("command")
    if not isinstance(text, str):
        return Judgement(residue=Objection("the call names no command", ReasonType.OTHER))
    if len(text) > MAX_READ:
        why = f"the text is longer than {MAX_READ} characters, and nothing can be said about it"
        objection = Objection(why, ReasonType.OTHER, classifier_approvable=False, hook_liftable=False)
        return Judgement(critical=objection, residue=objection)
    analysis = analyse(request, text)
    granted = grant(analysis)
    denied = rulings.denied(analysis)
    if denied is not None:
        return Judgement(denied=denied, outcomes=_marked(granted.outcomes, denied))
    residue, why, rule = granted.residue, granted.why, granted.rule
    unsafe = next((part.accesses.unsafe for part in analysis.parts if part.accesses.unsafe is not None), None)
    if unsafe is None and analysis.reading.deferred:
        unsafe = Objection("`&` defers execution past the checks", ReasonType.SAFETY_CHECK)
    asked = rulings.asked(analysis, residue)
    bare = allow_rules(request.policy, request.mode).bare
    if residue is not None and bare is not None:
        residue, why, rule = None, f"rule {bare.text} allows the whole tool", bare
    if residue is not None and request.mode is Mode.PLAN:
        residue = replace(residue, hook_liftable=False)
    return Judgement(asked=asked, unsafe=unsafe, residue=residue, granted=why, rule=rule, outcomes=granted.outcomes)


def _marked(outcomes: tuple[Outcome, ...], denied: Objection) -> tuple[Outcome, ...]:
    """The statements' outcomes, with the denied one's own."""
    return tuple(
        Outcome(outcome.subject, Behavior.DENY, denied.why, denied.rule)
        if outcome.subject == denied.subject
        else outcome
        for outcome in outcomes
    )
