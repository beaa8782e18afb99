"""Step 3: the input taken by itself; a malformed one is `invalid`."""

from __future__ import annotations

from toolaudit.model import Behavior, Decision
from toolaudit.pipeline.state import State, ends


def run(state: State) -> str | Decision:
    fault = state.world.tools.malformed(state)
    return "the input fits the tool's schema" if fault is None else ends("schema", Behavior.INVALID, fault)
