from __future__ import annotations

from typing import TYPE_CHECKING

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.model.versions import Difference
from toolaudit.permissions import blocks
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, settles
from toolaudit.structs import replace

if TYPE_CHECKING:
    from toolaudit.model.verdict import Verdict as ClassifierVerdict


def resolve(request: Request) -> Verdict:
    """What is left: nobody granted the call, so somebody has to be asked."""
    objection = request.judgement.residue
    assert objection is not None, "the allow link settles calls without residue"
    return answer(request, objection)


def answer(request: Request, objection: Objection) -> Verdict:
    """Who answers depends on the mode: a person, the classifier, or nobody (documents, 9; measured)."""
    if request.classifies and objection.classifier_approvable:
        return _classify(request, objection)
    return person(request, objection)


def person(request: Request, objection: Objection) -> Verdict:
    """A person answers, unless mode or settings rule prompts out (documents, 4.14 and 9.3; measured)."""
    if request.mode is Mode.DONT_ASK:
        why = f"mode dontAsk denies what would prompt: {objection.why}"
        return Verdict(Behavior.DENY, why, ReasonType.MODE, objection.rule)
    if request.policy.deny_instead_of_prompting:
        why = f"the settings deny what would prompt: {objection.why}"
        return Verdict(Behavior.DENY, why, ReasonType.ASYNC_AGENT, objection.rule)
    return settles(Behavior.ASK, objection)


def _classify(request: Request, objection: Objection) -> Verdict:
    from toolaudit.model.verdict import Answer, Stage
    from toolaudit.model.verdict import Verdict as ClassifierVerdict

    if request.classifier is None:
        return person(request, objection)
    if blocks.paused(request):
        why = f"{request.blocked} calls in a row were blocked, so that a person answers: {objection.why}"
        return person(request, Objection(why, objection.reason_type, objection.rule))
    answer = request.classifier
    said = ClassifierVerdict(Answer(answer), Stage.FIXED, "", "", "stated") if isinstance(answer, str) else answer
    told = _told(said)
    if said.behavior is Answer.ALLOW:
        return Verdict(Behavior.ALLOW, f"{told}; it was asked because: {objection.why}", said=said)
    # A call without a verdict counts for nothing where one is only denied; the older client counted it (measured).
    counts = said.behavior is Answer.BLOCK or request.version.has(Difference.BLOCKS_PROMPT)
    if counts and blocks.loses_patience(request):
        why = f"{request.blocked + 1} calls in a row were blocked; the last because: {objection.why}"
        return replace(person(request, Objection(why, ReasonType.CLASSIFIER, objection.rule)), said=said)
    return Verdict(Behavior.DENY, f"{told}; it was asked because: {objection.why}", ReasonType.CLASSIFIER, said=said)


def _told(said: ClassifierVerdict) -> str:
    """What the classifier said, in a clause."""
    from toolaudit.model.verdict import Answer, Stage

    about = "" if said.stage is Stage.FIXED else f" ({said.stage}{', ' + said.category if said.category else ''})"
    reason = f": {said.reason}" if said.reason else ""
    match said.behavior:
        case Answer.ALLOW:
            return f"the classifier allowed it{about}{reason}"
        case Answer.BLOCK:
            return f"the classifier blocked it{about}{reason}"
        case Answer.UNAVAILABLE:
            return f"the classifier is unavailable{about}{reason}, and no verdict means no"
