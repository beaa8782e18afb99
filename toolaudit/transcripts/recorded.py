from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolaudit.model import Mode, ToolCall


class RecordedOutcome(StrEnum):
    """What a session says became of a call."""

    EXECUTED = "executed"
    EXECUTED_ERROR = "executed_error"
    """It ran and failed: a non-zero exit code, a missing file."""
    USER_REJECTED = "user_rejected"
    """A person, or the program that answers prompts for one, said no."""
    RULE_DENIED = "rule_denied"
    HOOK_DENIED = "hook_denied"
    ASK_UNANSWERED = "ask_unanswered"
    """The client wanted to ask and nobody could answer."""
    MODE_DENIED = "mode_denied"
    """Mode dontAsk, or an agent in the background that can't prompt."""
    PATH_BLOCKED = "path_blocked"
    """A guard built into the client: working directories, critical removals."""
    AUTOMODE_BLOCKED = "automode_blocked"
    AUTOMODE_UNAVAILABLE = "automode_unavailable"
    CANCELLED = "cancelled"
    """Interrupted, or given up because a sibling call failed."""
    VALIDATION_ERROR = "validation_error"
    """Refused before any permission check: bad input, unread file, unknown tool."""
    NO_RESULT = "no_result"
    """The session ends without a readable result for it."""
    UNKNOWN = "unknown"

    @property
    def ran(self) -> bool:
        """Whether the call was carried out, well or badly."""
        return self in _RAN

    @property
    def refused(self) -> bool:
        """Whether a permission decision (a person's, a rule's, a hook's, the client's own) stopped it."""
        return self in _REFUSED


_RAN = frozenset({RecordedOutcome.EXECUTED, RecordedOutcome.EXECUTED_ERROR})
_REFUSED = frozenset(
    {
        RecordedOutcome.USER_REJECTED,
        RecordedOutcome.RULE_DENIED,
        RecordedOutcome.HOOK_DENIED,
        RecordedOutcome.ASK_UNANSWERED,
        RecordedOutcome.MODE_DENIED,
        RecordedOutcome.PATH_BLOCKED,
        RecordedOutcome.AUTOMODE_BLOCKED,
        RecordedOutcome.AUTOMODE_UNAVAILABLE,
    }
)


class Grounds(StrEnum):
    """How sure an outcome is, best first."""

    FIELD = "field"
    """The client wrote it in a field of its own."""
    TEXT = "text"
    """The result begins with a sentence only the client writes."""
    HEURISTIC = "heuristic"
    """The likeliest reading of what is there, or of what is missing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an outcome rests on: its class, and the field's value or the marker that was found."""

    grounds: Grounds
    marker: str


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One tool call of a recorded session, with what the session knows about it."""

    call: ToolCall
    session: str | None
    cwd: str | None
    """The shell's working directory when the call was made."""
    root: str | None
    """The session's first working directory: its project."""
    version: str | None
    """The client's version."""
    mode: Mode | None
    """The permission mode, carried forward from the last line that names it; None where no line does."""
    timestamp: str | None
    sidechain: bool
    """A sub-agent made the call."""
    file: str
    line: int
    """The line of `file` that holds the call, from 1; in a JSON document the record's place in it, from 1."""
    outcome: RecordedOutcome
    evidence: Evidence
    prompted: bool | None
    """Whether a person (or a program in a person's place) was asked about the call; None: the recording is silent."""
    agent: str = "claude-code"
    """What made the recording."""
    name: str = ""
    """The tool's name in the recording of another agent."""
    counterpart: bool = True
    """Whether the client has a tool that does the same; otherwise `call` is the other agent's own."""
    said: tuple[str, ...] = ()
    """What the user wrote since the session's call before this one; empty too where the format's reader skips it."""
