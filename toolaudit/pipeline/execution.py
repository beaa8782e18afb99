"""Step 10: the call itself: carried out, taken from a recording, or foretold."""

from __future__ import annotations

from toolaudit.model import Decision
from toolaudit.pipeline.state import State


def run(state: State) -> str | Decision:
    return state.world.executor.execute(state)
