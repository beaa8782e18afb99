"""From what a client said to the words of a record."""

from __future__ import annotations

import pytest

from toolaudit.conformance.cases import CWD, HOME
from toolaudit.conformance.live.session import Answer
from toolaudit.conformance.live.verdicts import REASON_CHARS_MAX, record


def failed(text: str) -> Answer:
    return Answer(result=text, is_error=True)


ROWS = {
    "ran": (Answer(result="output"), ("allow", None, None)),
    "ran and failed": (failed("Exit code 1\nbwrap: no"), ("allow", None, None)),
    "fetched without a network": (failed("Unable to verify if domain a.b is safe"), ("allow", None, None)),
    "asked": (
        Answer(prompt={"decision_reason_type": "rule"}, result="no", is_error=True),
        ("ask", "rule", None),
    ),
    "asked without a type": (Answer(prompt={}, result="no", is_error=True), ("ask", None, None)),
    "denied with notice": (
        Answer(denied={"decision_reason_type": "safetyCheck", "decision_reason": "Dangerous"}, result="x"),
        ("deny", "safetyCheck", "Dangerous"),
    ),
    "denied with a message": (
        Answer(denied={"decision_reason_type": "rule", "decision_reason": None, "message": "WebFetch denied a.b."}),
        ("deny", "rule", "WebFetch denied a.b."),
    ),
    "denied with nothing to say": (
        Answer(denied={"decision_reason_type": "rule", "message": "Permission to use Bash has been denied."}),
        ("deny", "rule", None),
    ),
    "denied without notice": (failed("Permission to use Bash has been denied."), ("deny", None, None)),
    "denied directory": (
        failed("<e>File is in a directory that is denied by your permission settings.</e>"),
        ("deny", None, "<e>File is in a directory that is denied by your permission settings.</e>"),
    ),
    "denied agent": (
        failed("Agent type 'E' has been denied by permission rule 'Agent(E)'."),
        ("deny", None, "Agent type 'E' has been denied by permission rule 'Agent(E)'."),
    ),
    "hook": (
        failed("PreToolUse:Bash hook error: Blocked\nmore"),
        ("deny", "hook", "PreToolUse:Bash hook error: Blocked"),
    ),
    "older hook": (
        failed("Hook PreToolUse:Bash denied this tool"),
        ("deny", "hook", "Hook PreToolUse:Bash denied this tool"),
    ),
    "removed": (
        failed("<e>Error: No such tool available: Foo</e>"),
        ("removed", None, "<e>Error: No such tool available: Foo</e>"),
    ),
    "invalid": (failed("File does not exist.\nNote"), ("invalid", None, "File does not exist.")),
    "no answer": (Answer(), ("none", None, None)),
    "places": (
        failed(f"{CWD}/a and {HOME}/b do not exist"),
        ("invalid", None, "{cwd}/a and {home}/b do not exist"),
    ),
    "long": (failed("x" * 1000), ("invalid", None, "x" * REASON_CHARS_MAX)),
}


@pytest.mark.parametrize(("answer", "expected"), ROWS.values(), ids=ROWS)
def test_verdict(answer: Answer, expected: tuple[str, str | None, str | None]) -> None:
    made = record("c", answer, "1.0")
    assert (made.decision, made.reason_type, made.reason) == expected
    assert (made.id, made.client) == ("c", "1.0")
