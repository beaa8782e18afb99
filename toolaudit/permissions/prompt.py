from __future__ import annotations

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, settles


def resolve(request: Request) -> Verdict:
    """What is left: nobody granted the call, so somebody has to be asked."""
    objection = request.judgement.residue
    assert objection is not None, "the allow link settles calls without residue"
    return answer(request, objection)


def answer(request: Request, objection: Objection) -> Verdict:
    """Who answers depends on the mode: a person, the classifier, or nobody (documents, 9; measured)."""
    mode = request.mode
    classifies = mode is Mode.AUTO or (mode is Mode.PLAN and request.policy.auto_during_plan)
    if classifies and objection.classifier_approvable:
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
    answer = request.classifier
    if answer == "allow":
        return Verdict(Behavior.ALLOW, f"the classifier allowed it; it was asked because: {objection.why}")
    said = (
        "the classifier blocked it" if answer == "block" else "the classifier is unavailable, and no verdict means no"
    )
    return Verdict(Behavior.DENY, f"{said}; it was asked because: {objection.why}", ReasonType.CLASSIFIER)
