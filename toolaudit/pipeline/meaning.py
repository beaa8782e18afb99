"""Step 4: what the input means here: deny rules for its path as it is written, then files, session and devices.

Deny rules come first, so that nothing is said of a file that the model may not know of (measured).
"""

from __future__ import annotations

from toolaudit.model import Behavior, Decision
from toolaudit.pipeline.state import State, ends
from toolaudit.tools import pool


def run(state: State) -> str | Decision:
    if state.current.tool in pool.PATHS:
        from toolaudit.permissions import files

        denied = files.denied_by_name(state.request)
        if denied is not None:
            return ends("meaning", Behavior.DENY, denied.why, denied.rule)
    fault = state.world.tools.misfit(state)
    return "the input makes sense here" if fault is None else ends("meaning", Behavior.INVALID, fault)
