"""Step 8: the permission chain, the classifier where the chain needs it, and whoever answers prompts."""

from __future__ import annotations

from msgspec.structs import replace

from toolaudit.model import Behavior, Decision, ReasonType
from toolaudit.permissions import chain, prompt
from toolaudit.pipeline.state import State


def run(state: State) -> str:
    decision = state.decision = _resolve(state)
    state.blocked = prompt.count_blocks(state.blocked, decision, state.mode)
    if decision.behavior is Behavior.ASK:
        state.answer = state.world.prompter.answer(state)
        if state.answer is not None:
            return f"{decision.stage} asks: {decision.why}; {state.answer.why}"
    return f"{decision.stage} says {decision.behavior}: {decision.why}"


def _resolve(state: State) -> Decision:
    while True:
        request = state.request
        decision = chain.resolve(request)
        if decision.reason_type is not ReasonType.CLASSIFIER or not request.classifies:
            break
        pending = state.pending or state.world.classifier.start(state.call, state)
        answer = pending.answer()
        mode = state.mode if state.world.mode_now is None else state.world.mode_now()
        if mode is state.mode:
            return decision if answer == "unavailable" else chain.resolve(replace(request, classifier=answer))
        # What was said of the call in a mode that is over counts for nothing.
        state.mode, state.pending = mode, None
    if state.pending is not None:
        state.pending.discard()
    return decision
