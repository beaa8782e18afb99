"""Step 9: the end of a call that was not allowed, with PermissionDenied hooks where the classifier refused it.

Source: documents, 10.6 and 14, row 14: no other denial has such hooks.
"""

from __future__ import annotations

from toolaudit.model import Behavior, Decision, ReasonType
from toolaudit.pipeline.state import State, ends


def run(state: State) -> str | Decision:
    decision, answer = state.decision, state.answer
    assert decision is not None, "the chain decides every call"
    if answer is not None:
        if answer.behavior is Behavior.ALLOW:
            return answer.why
        return ends("denial", Behavior.DENY, answer.why, decision.rule, decision.reason_type)
    if decision.behavior is Behavior.ALLOW:
        return "the call is allowed"
    if decision.behavior is Behavior.DENY and decision.reason_type is ReasonType.CLASSIFIER:
        heard = state.world.hooks.hear("PermissionDenied", state, {"reason": decision.why})
        if heard.retry:
            state.note("A hook says that you may try this call again.", origin="PermissionDenied")
        state.note(*heard.texts("context"), origin="PermissionDenied")
    return decision
