"""What is said of errors where it is recorded: names and codes, never a message; and where it is reported to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies

from tests.pipeline.conftest import Session, call, make_tool
from toolaudit.pipeline import telemetry
from toolaudit.pipeline.errors import classify_tool_error
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.state import State
from toolaudit.tools.interface import ToolError


def mangled() -> BaseException:
    """An exception whose class was named by a minifier."""
    return type("a7$", (ValueError,), {})("secret")


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (ToolError("secret", "not_unique"), "not_unique"),
        (ToolError("secret"), "tool_error"),
        (ToolError("secret", "rm -rf /secret"), "ToolError"),
        (PermissionError(13, "secret", "/secret"), "EACCES"),
        (OSError("secret"), "OSError"),
        (ConnectionResetError(104, "secret"), "ECONNRESET"),
        (UnicodeDecodeError("utf-8", b"secret", 0, 1, "secret"), "UnicodeDecodeError"),
        (mangled(), "ValueError"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_name_of_an_error(error: BaseException, named: str) -> None:
    assert classify_tool_error(error) == named


@given(strategies.text(min_size=4, alphabet=strategies.characters(codec="utf-8", exclude_characters="_")))
def test_no_part_of_a_message_is_ever_recorded(message: str) -> None:
    for error in (
        ValueError(message),
        OSError(message),
        ToolError(message),
        type(message.replace("\0", "") or "X", (Exception,), {})(),
    ):
        assert classify_tool_error(error) in ("ValueError", "OSError", "tool_error", "Exception")


def reported(session: Session, **definition: Any) -> tuple[telemetry.Event, ...]:
    states: list[State] = []
    tool = make_tool("mcp__private__secret", source="private", **definition)
    run_call(call("mcp__private__secret", text="secret"), session(tool), Services(report=states.append))
    return telemetry.events_of(states[0])


def test_every_call_is_reported_once_at_its_end(session: Session) -> None:
    (event,) = reported(session)
    assert event.name == "tool_call"
    assert event.attributes["ended_by"] == "messages"


def test_reports_hold_no_name_input_or_message_of_a_stranger(session: Session) -> None:
    def fail(*given: Any) -> Any:
        raise ValueError("secret")

    for events in (
        reported(session, call=fail),
        reported(session, validate_input=lambda given, context: "secret"),
        reported(session, check_permissions=fail),
    ):
        assert "secret" not in repr(events)
        assert "private" not in repr(events)
        assert events[-1].name == "tool_error"


def test_reports_go_through_the_api_of_opentelemetry(session: Session) -> None:
    export = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    exporter = export.InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)

    def fail(*given: Any) -> Any:
        raise FileNotFoundError(2, "secret")

    run_call(call(), session(make_tool(call=fail)))
    (span,) = exporter.get_finished_spans()
    assert span.name == "tool_call"
    assert span.attributes["tool"] == "custom"
    assert [(event.name, event.attributes["error_class"]) for event in span.events] == [("tool_error", "ENOENT")]
    assert "secret" not in span.to_json()
