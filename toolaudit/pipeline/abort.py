"""Step 2: no work for a call that was queued before the session was interrupted."""

from __future__ import annotations

from toolaudit.model import Behavior, Decision, ReasonType
from toolaudit.pipeline.state import State, ends

INTERRUPTED = "[Request interrupted by user for tool use]"
"""The words of the client, by which a transcript tells it."""


def run(state: State) -> str | Decision:
    if state.world.abort.aborted:
        why = state.world.abort.why or INTERRUPTED
        return ends("abort", Behavior.DENY, why, reason_type=ReasonType.OTHER)
    return "nobody interrupted the session"
