"""The sentences by which Claude Code says why a call did not run: a table anyone can add a row to.

A marker counts only at the start of a failed call's result, after the `<tool_use_error>` wrapper if there is one:
sessions about sessions quote these sentences. The first row that fits decides. `seen` names clients the sentence was
seen in or reported for; sentences are never removed, old recordings keep them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolaudit.transcripts.recorded import RecordedOutcome as Outcome

TABLE_VERSION = "2.1.332"
"""The newest client whose results the table was checked against."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A sentence's start, as a pattern anchored at the start, and what it says became of the call."""

    outcome: Outcome
    pattern: re.Pattern[str]
    seen: str


def _marker(outcome: Outcome, pattern: str, seen: str) -> Marker:
    return Marker(outcome, re.compile(pattern), seen)


# INVARIANT: no pattern has more than one unbounded repeat before its last literal: matching stays linear.
MARKERS: tuple[Marker, ...] = (
    _marker(Outcome.USER_REJECTED, r"The user doesn't want to proceed with this tool use\.", "1.0.98-2.1.332"),
    _marker(Outcome.USER_REJECTED, r"User rejected tool use\b", "2.1.25-2.1.217"),
    _marker(Outcome.USER_REJECTED, r"User chose to stay in plan mode and continue planning", "2.0"),
    _marker(Outcome.CANCELLED, r"The user doesn't want to take this action right now\.", "2.0-2.1"),
    _marker(Outcome.CANCELLED, r"\[Request interrupted by user", "1.0.98-2.1.219"),
    _marker(Outcome.CANCELLED, r"Sibling tool call errored", "2.0-2.1"),
    _marker(Outcome.MODE_DENIED, r"Permission to use \S+ has been denied because Claude Code is running in", "2.1.332"),
    _marker(Outcome.MODE_DENIED, r"Permission to use \S+ has been auto-denied", "2.0-2.1"),
    _marker(Outcome.RULE_DENIED, r"Permission to use \S+ (?:with command |has been denied)", "2.1.4-2.1.332"),
    _marker(Outcome.RULE_DENIED, r"File is in a directory that is denied by your permission settings", "2.0-2.1.332"),
    _marker(Outcome.RULE_DENIED, r"File is covered by a \w+ deny rule in your permission settings", "2.1.332"),
    _marker(Outcome.RULE_DENIED, r"Agent type '[^']*' has been denied by permission rule", "2.1.332"),
    _marker(Outcome.RULE_DENIED, r"WebFetch denied access to domain:", "2.1.332"),
    _marker(Outcome.ASK_UNANSWERED, r"Claude requested permissions to ", "1.0.98-2.1.332"),
    _marker(Outcome.ASK_UNANSWERED, r"This \w+ command contains multiple operations\.", "2.0-2.1.332"),
    _marker(Outcome.ASK_UNANSWERED, r"This command requires approval", "2.0-2.1.332"),
    _marker(Outcome.ASK_UNANSWERED, r"Contains [a-z]+(?:_[a-z]+)+\s*\Z", "2.1"),
    _marker(Outcome.ASK_UNANSWERED, r"A nested command in this command can't be checked before it runs", "2.1.332"),
    _marker(Outcome.ASK_UNANSWERED, r"Cannot write to .* while in plan mode\.", "2.1.332"),
    _marker(Outcome.PATH_BLOCKED, r"[\w.-]+ (?:in|to) '[^'\n]*' was blocked\. ", "1.0-2.1"),
    _marker(Outcome.PATH_BLOCKED, r"Dangerous \w+ operation on ", "2.1.332"),
    _marker(Outcome.HOOK_DENIED, r"PreToolUse:\S+ hook error: ", "2.1.205-2.1.332"),
    _marker(Outcome.HOOK_DENIED, r"\S+ operation blocked by hook:", "1.0"),
    _marker(Outcome.AUTOMODE_BLOCKED, r"Permission for this action was denied by the Claude Code auto mode", "2.1"),
    _marker(Outcome.AUTOMODE_UNAVAILABLE, r"\S+ is temporarily unavailable, so auto mode cannot", "2.1.209-2.1.215"),
    _marker(Outcome.AUTOMODE_UNAVAILABLE, r"Auto mode is unavailable: ", "2.1.332"),
    _marker(Outcome.EXECUTED_ERROR, r"Exit code -?\d+", "2.0.64-2.1.332"),
    _marker(Outcome.VALIDATION_ERROR, r"InputValidationError: ", "2.0-2.1.332"),
    _marker(Outcome.VALIDATION_ERROR, r"(?:Error: )?No such tool available: ", "2.0-2.1.332"),
    _marker(Outcome.VALIDATION_ERROR, r"File has not been read yet\.", "1.0-2.1"),
    _marker(Outcome.VALIDATION_ERROR, r"File has been (?:unexpectedly )?modified", "1.0-2.1"),
    _marker(Outcome.VALIDATION_ERROR, r"String to replace not found in file\.", "1.0-2.1"),
)

DENIAL_KINDS: dict[str, Outcome] = {
    "user-rejected": Outcome.USER_REJECTED,
    "permission-rule": Outcome.RULE_DENIED,
    "automode-blocked": Outcome.AUTOMODE_BLOCKED,
    "automode-unavailable": Outcome.AUTOMODE_UNAVAILABLE,
    "cancelled": Outcome.CANCELLED,
}
"""`toolDenialKind`, and `non_execution_kind` in the twin (clients from about 2.1.205).

Two of the words are wider than they sound: `permission-rule` also stands on denials by hooks, by modes and by a
program that answers prompts, `user-rejected` also on prompts that nobody was there to answer.
"""

REASON_TYPES: dict[str, Outcome] = {
    "rule": Outcome.RULE_DENIED,
    "subcommandResults": Outcome.RULE_DENIED,
    "mode": Outcome.MODE_DENIED,
    "asyncAgent": Outcome.MODE_DENIED,
    "hook": Outcome.HOOK_DENIED,
    "classifier": Outcome.AUTOMODE_BLOCKED,
    "workingDir": Outcome.PATH_BLOCKED,
    "safetyCheck": Outcome.PATH_BLOCKED,
}
"""`permissionDecision.reasonType` of a call the configuration refused (2.1.332)."""
