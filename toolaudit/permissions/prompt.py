from __future__ import annotations

from toolaudit.model import Behavior, Decision, Mode, ReasonType
from toolaudit.model.versions import Difference
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.request import Request
from toolaudit.permissions.verdict import Verdict, settles

BLOCKS = 3
"""Calls in a row that the classifier blocks, from which on an older client has a person answer (measured)."""


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
    answer = request.classifier
    if answer == "allow":
        return Verdict(Behavior.ALLOW, f"the classifier allowed it; it was asked because: {objection.why}")
    if loses_patience(request):
        why = f"{request.blocked + 1} calls in a row were blocked; the last because: {objection.why}"
        return person(request, Objection(why, ReasonType.CLASSIFIER, objection.rule))
    said = (
        "the classifier blocked it" if answer == "block" else "the classifier is unavailable, and no verdict means no"
    )
    return Verdict(Behavior.DENY, f"{said}; it was asked because: {objection.why}", ReasonType.CLASSIFIER)


def loses_patience(request: Request) -> bool:
    """Whether so many calls were blocked before this one that a person is asked about it."""
    return request.blocked + 1 >= BLOCKS and request.version.has(Difference.BLOCKS_PROMPT)


def count_blocks(before: int, decision: Decision, mode: Mode) -> int:
    """The calls blocked in a row after `decision`; what mode plan allows does not end a row (measured)."""
    if decision.behavior is Behavior.ALLOW:
        return before if mode is Mode.PLAN else 0
    blocked = decision.reason_type is ReasonType.CLASSIFIER or (
        decision.stage == "removal" and mode in (Mode.AUTO, Mode.PLAN)
    )
    return before + blocked
