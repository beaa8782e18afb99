"""Step 13: what the tool adds to the conversation, and how it changes the context of later calls.

A tool that may run beside others changes no context: with two of them at once, nobody could say which one wins.
"""

from __future__ import annotations

from toolaudit.pipeline.state import State


def run(state: State) -> str:
    result = state.result
    if result is None:
        return "no new messages"
    state.new_messages = result.new_messages
    said = f"{len(result.new_messages)} new messages" if result.new_messages else "no new messages"
    if result.context_modifier is None:
        return said
    assert state.tool is not None
    if state.tool.is_concurrency_safe(state.parsed):
        return f"{said}; a change of context by a tool that may run beside others is dropped"
    state.modifier = result.context_modifier
    return f"{said}, a change of context"
