from __future__ import annotations

from dataclasses import dataclass

from toolaudit.transcripts.markers import DENIAL_KINDS, MARKERS, REASON_TYPES
from toolaudit.transcripts.recorded import Evidence, Grounds
from toolaudit.transcripts.recorded import RecordedOutcome as Outcome
from toolaudit.transcripts.wire import PermissionDecision

_WRAPPER = "<tool_use_error>"
_LONGEST_MARKER = 4096
"""Characters of a result that are looked at."""

Finding = tuple[Outcome, Evidence, bool | None]
"""An outcome, what it rests on, and whether somebody was asked (None: not recorded)."""

EXECUTED: Finding = (Outcome.EXECUTED, Evidence(Grounds.FIELD, "result without an error"), None)
NO_RESULT: Finding = (Outcome.NO_RESULT, Evidence(Grounds.HEURISTIC, "no result in the recording"), None)


@dataclass(frozen=True, slots=True)
class Signs:
    """Everything a recording says about the end of one call."""

    failed: bool
    """`is_error` of the result."""
    text: str
    """How a failed result begins."""
    decision: PermissionDecision | None = None
    denial_kind: str | None = None
    hook_blocked: bool = False
    """The client recorded a blocking error of a PreToolUse hook for this call."""
    hook_ran: bool = False
    """A PreToolUse hook is recorded to have run for this call."""
    shell: bool = False
    denial_reason: str | None = None
    """`decision_reason_type` of the twin's `permission_denied` line."""


def classify(signs: Signs) -> Finding:
    """What became of a call, from the best evidence there is: the decision field, the denial kind, the text."""
    decision = signs.decision
    if decision is not None and decision.decision == "reject":
        return _rejected(decision, signs)
    prompted = None
    if decision is not None and decision.decision == "accept":
        prompted = str(decision.source).startswith("user_") if decision.source is not None else None
    if signs.denial_kind is not None:
        outcome, evidence = _by_kind(signs.denial_kind, signs)
        return outcome, evidence, prompted
    if not signs.failed:
        return (*EXECUTED[:2], prompted)
    outcome, evidence = _by_text(signs)
    return outcome, evidence, prompted


def _rejected(decision: PermissionDecision, signs: Signs) -> Finding:
    source, code = str(decision.source), str(decision.reason_code or "")
    reason = decision.reason_type or decision.reason_type_twin
    evidence = Evidence(
        Grounds.FIELD, f"permissionDecision reject by {source}, {reason or 'no reason'} {code}".rstrip()
    )
    if source == "hook":
        return Outcome.HOOK_DENIED, evidence, False
    if source.startswith("user_"):
        return Outcome.USER_REJECTED, evidence, True
    if reason is None:
        # The configuration refuses without a reason of its own where a prompt was due and there was no one to answer.
        return Outcome.ASK_UNANSWERED, evidence, False
    outcome = REASON_TYPES.get(str(reason), Outcome.RULE_DENIED)
    if reason == "classifier" and (code.endswith(":unavailable") or signs.denial_kind == "automode-unavailable"):
        outcome = Outcome.AUTOMODE_UNAVAILABLE
    return outcome, evidence, False


def _by_kind(kind: str, signs: Signs) -> tuple[Outcome, Evidence]:
    outcome = DENIAL_KINDS.get(kind)
    if outcome is None:
        return Outcome.UNKNOWN, Evidence(Grounds.FIELD, f"denial kind {kind}")
    field = Evidence(Grounds.FIELD, f"denial kind {kind}")
    if kind not in ("permission-rule", "user-rejected"):
        return outcome, field
    marked = _marked(signs.text)
    if marked is not None and (marked[0].refused or marked[0] is Outcome.CANCELLED):
        return (outcome, field) if marked[0] is outcome else marked
    if kind == "permission-rule":
        if signs.denial_reason in REASON_TYPES:
            return REASON_TYPES[signs.denial_reason], Evidence(Grounds.FIELD, f"denied by {signs.denial_reason}")
        # A rule's denial has a sentence of its own; what has none repeats the words of a hook or a program.
        return Outcome.HOOK_DENIED, Evidence(Grounds.HEURISTIC, "denial kind permission-rule, reason in free words")
    return Outcome.ASK_UNANSWERED, Evidence(Grounds.HEURISTIC, "denial kind user-rejected, nobody's refusal")


def _by_text(signs: Signs) -> tuple[Outcome, Evidence]:
    marked = _marked(signs.text)
    if marked is not None:
        return marked
    if signs.hook_blocked:
        return Outcome.HOOK_DENIED, Evidence(Grounds.FIELD, "blocking hook error")
    if signs.text.startswith(_WRAPPER):
        return Outcome.VALIDATION_ERROR, Evidence(Grounds.TEXT, _WRAPPER)
    if signs.shell and signs.hook_ran:
        # A shell command's own failure begins with its exit code wherever hooks are recorded at all.
        return Outcome.HOOK_DENIED, Evidence(Grounds.HEURISTIC, "a PreToolUse hook ran, and no exit code")
    return Outcome.EXECUTED_ERROR, Evidence(Grounds.HEURISTIC, "an error of no known kind")


def _marked(text: str) -> tuple[Outcome, Evidence] | None:
    head = text[:_LONGEST_MARKER].removeprefix(_WRAPPER).removeprefix("Error: ")
    for marker in MARKERS:
        if found := marker.pattern.match(head):
            return marker.outcome, Evidence(Grounds.TEXT, found.group().strip())
    return None
