"""What is reported of a call: names and classes, never a path, a command or a message.

Goes to OpenTelemetry where its API is installed: one span a call, with an event for what went wrong. Which exporter
gets them is for the program that runs the session to set up; without one the API drops them.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolaudit.pipeline.state import State
from toolaudit.structs import Struct
from toolaudit.tools.pool import BUILT_IN

SCOPE = "toolaudit.pipeline"


class Event(Struct):
    """One event with its attributes."""

    name: str
    attributes: Mapping[str, str]


def events_of(state: State) -> tuple[Event, ...]:
    """The events of a call that came to its end. A tool that is not built in is called `mcp` or `custom`."""
    name = state.call.tool
    tool = name if name in BUILT_IN else "mcp" if name.startswith("mcp__") else "custom"
    end = state.end if state.end is not None else state.decision
    attributes = {"tool": tool, "ended_by": state.ended_by or "messages", "mode": str(state.mode)}
    if end is not None:
        attributes |= {"decision": str(end.behavior), "stage": end.stage}
    done = Event("tool_call", attributes)
    if state.error_class is None:
        return (done,)
    return done, Event("tool_error", {"tool": tool, "error_class": state.error_class})


def report(state: State) -> None:
    """Hands the events of the call to OpenTelemetry, where it is installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return
    first, *others = events_of(state)
    with trace.get_tracer(SCOPE).start_as_current_span(first.name, attributes=dict(first.attributes)) as span:
        for event in others:
            span.add_event(event.name, dict(event.attributes))
