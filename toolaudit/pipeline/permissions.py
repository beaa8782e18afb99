"""Step 8: the permission chain, the classifier where the chain needs it, and whoever answers prompts."""

from __future__ import annotations

from toolaudit.model import Behavior, Decision, ToolCall
from toolaudit.permissions import blocks, chain
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.state import State
from toolaudit.structs import replace


def run(state: State) -> str:
    decision = state.decision = _resolve(state)
    state.blocked = blocks.count(state.blocked, decision, state.mode, state.version)
    if decision.behavior is Behavior.ASK:
        answer = state.world.prompter.answer(state)
        if answer is not None:
            state.answer = _checked(answer, state)
            if state.answer.behavior is Behavior.ALLOW:
                # What a person approves ends a row of blocks, and the classifier is asked again (documents, 9.5.6).
                state.blocked = 0
            return f"{decision.stage} asks: {decision.why}; {state.answer.why}"
    return f"{decision.stage} says {decision.behavior}: {decision.why}"


def _checked(answer: Answer, state: State) -> Answer:
    """The answer; a denial where it rewrote the input to what does not fit or is denied (documents, 10.5)."""
    if answer.updated_input is None or answer.behavior is not Behavior.ALLOW:
        return answer
    state.seen, state.rewritten = ToolCall(state.call.tool, answer.updated_input, state.call.id), True
    why = state.world.tools.malformed(state)
    if why is None:
        again = chain.resolve(state.request)
        why = again.why if again.behavior is Behavior.DENY else None
    return answer if why is None else replace(answer, behavior=Behavior.DENY, why=f"as it was rewritten: {why}")


def _resolve(state: State) -> Decision:
    while True:
        request = state.request
        decision = chain.resolve(request)
        if not chain.reaches_classifier(decision, request):
            break
        if state.rewritten and state.pending is not None:
            # The early question was about the call as the model wrote it.
            state.pending.discard()
            state.pending = None
        pending = state.pending or state.world.classifier.start(state.current, state)
        answer = pending.answer()
        mode = state.mode if state.world.mode_now is None else state.world.mode_now()
        if mode is state.mode:
            return decision if answer == "unavailable" else chain.resolve(replace(request, classifier=answer))
        # What was said of the call in a mode that is over counts for nothing.
        state.mode, state.pending = mode, None
    if state.pending is not None:
        state.pending.discard()
    return decision
