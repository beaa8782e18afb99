"""How many calls share one client process when cases are asked, and so in a simulation of it."""

from __future__ import annotations

CALLS = 150
"""Calls a process. Fewer start more processes, more make long conversations, which the client sends anew each time."""

CLASSIFIED_CALLS = 9
"""In modes with a classifier: the client ends the turn at its tenth denial by it (measured)."""

CLASSIFIER_MODES = frozenset({"auto", "plan"})


def shared(mode: str | None, calls: int = CALLS) -> int:
    """How many calls of a session in `mode` share a process, at most `calls`."""
    return min(calls, CLASSIFIED_CALLS) if mode in CLASSIFIER_MODES else calls
