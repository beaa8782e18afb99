"""From what the client said of a call to the words of a decision record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolaudit.conformance.cases import CWD, HOME
from toolaudit.conformance.live.recording import Record
from toolaudit.conformance.live.session import Answer

REASON_CHARS_MAX = 160
"""Of the client's own text, no more than this much of its first line is kept."""

REMOVED = "No such tool available"
DENIED = (
    "denied by your permission settings",
    "is covered by a Read deny rule",
    "denied by permission rule",
)
"""In results that come without a notice of refusal (measured)."""
DENIED_START = "Permission to use"
HOOK_DENIAL = re.compile(r"PreToolUse:\S{1,200} hook error|Hook PreToolUse:\S{1,200} denied this tool")
"""How 2.1.332 and 2.1.240 begin (measured)."""
ALLOWED_STARTS = ("Exit code ", "Unable to verify if domain")
"""Failures of calls that were let run: a sandbox that could not be set up, WebFetch without a network."""


def record(case_id: str, answer: Answer, client: str | None) -> Record:
    """The decision record of one call.

    `allow`: it ran; `ask`: approval was asked for; `deny`: refused; `removed`: the tool is not in the pool; `invalid`:
    the input was refused before any permission check; `none`: there was no answer.
    """
    decision, reason_type, reason = _verdict(answer)
    return Record(case_id, decision, reason_type, _one_line(reason), client)


def _verdict(answer: Answer) -> tuple[str, str | None, str | None]:
    if answer.prompt is not None:
        return "ask", answer.prompt.get("decision_reason_type"), answer.prompt.get("decision_reason")
    if answer.denied is not None:
        return "deny", answer.denied.get("decision_reason_type"), _reason_of_denial(answer.denied)
    result = answer.result
    if result is None:
        return "none", None, None
    if not answer.is_error or result.startswith(ALLOWED_STARTS):
        return "allow", None, None
    if HOOK_DENIAL.match(result):
        return "deny", "hook", result
    if result.startswith(DENIED_START):
        return "deny", None, None
    if REMOVED in result:
        return "removed", None, result
    return ("deny" if any(text in result for text in DENIED) else "invalid"), None, result


def _reason_of_denial(notice: Mapping[str, Any]) -> str | None:
    """The reason, or else the message where that says more than that it was denied."""
    reason, message = notice.get("decision_reason"), notice.get("message")
    return reason or (None if message is None or message.startswith(DENIED_START) else message)


def _one_line(text: str | None) -> str | None:
    if not text:
        return None
    placed = text.replace(CWD, "{cwd}").replace(HOME, "{home}")
    return placed.partition("\n")[0][:REASON_CHARS_MAX]
