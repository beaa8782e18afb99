"""Step 6: derived fields for hooks and permissions, on a copy; the transcript keeps the input as it was written."""

from __future__ import annotations

from toolaudit.model import ToolCall
from toolaudit.pipeline.state import State


def run(state: State) -> str:
    call = state.call
    filled = state.world.tools.backfill(state)
    if filled is call.input or filled == call.input:
        return "the input needs nothing filled in"
    state.seen = ToolCall(call.tool, filled, call.id)
    changed = sorted(name for name in filled if name not in call.input or filled[name] != call.input[name])
    return f"filled in on a copy: {', '.join(changed)}"
