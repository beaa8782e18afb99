"""Step 7: PreToolUse hooks. They may rewrite the input, add to the conversation, and stop the call.

A denial is the permission chain's to tell, whose first link it is; a rewritten input must fit the schema again.
"""

from __future__ import annotations

from toolaudit.model import Behavior, Decision, ReasonType, ToolCall
from toolaudit.pipeline.state import State, ends


def run(state: State) -> str | Decision:
    heard = state.heard = state.world.hooks.hear("PreToolUse", state, {})
    if not heard.said:
        return "no PreToolUse hook spoke"
    state.stop = heard.stop
    state.note(*heard.texts("context"), origin="PreToolUse")
    if heard.deferred:
        why = "a PreToolUse hook leaves the call to the program that runs the session"
        return ends("pre_hooks", Behavior.ASK, why, reason_type=ReasonType.HOOK)
    if heard.updated_input is not None:
        state.seen = ToolCall(state.call.tool, heard.updated_input, state.call.id)
        state.rewritten = True
        fault = state.world.tools.malformed(state)
        if fault is not None:
            return ends("schema", Behavior.INVALID, fault)
    word = heard.verdict.behavior
    rewrote = "rewrote the input" if state.rewritten else ""
    said = f"said {word}" if word is not None else ""
    troubles = "; ".join(heard.texts("note"))
    return f"PreToolUse hooks {' and '.join(filter(None, (said, rewrote))) or 'left it alone'}" + (
        f" ({troubles})" if troubles else ""
    )
