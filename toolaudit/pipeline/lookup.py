"""Step 1: the tool, by its name or, for old transcripts, a former one. A tool that is not in the pool is `removed`."""

from __future__ import annotations

from toolaudit.model import Decision
from toolaudit.pipeline.state import State


def run(state: State) -> str | Decision:
    return state.world.tools.find(state)
