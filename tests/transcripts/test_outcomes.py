from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from recording import call_id, read_all, result, use, write

from toolaudit.transcripts import Grounds
from toolaudit.transcripts import RecordedOutcome as Out
from toolaudit.transcripts.markers import MARKERS

FIELD, TEXT, HEURISTIC = Grounds.FIELD, Grounds.TEXT, Grounds.HEURISTIC
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit"


def _decision(**fields: str) -> dict[str, Any]:
    return {"permissionDecision": fields}


CASES = [
    # id, text, is_error, further fields, outcome, grounds, prompted
    ("ran", "ok", None, {}, Out.EXECUTED, FIELD, None),
    ("ran, said so", "ok", False, {}, Out.EXECUTED, FIELD, None),
    ("a quoted refusal is no refusal", f"log: {REJECTED}", True, {}, Out.EXECUTED_ERROR, HEURISTIC, None),
    ("a refusal in a good result is output", REJECTED, None, {}, Out.EXECUTED, FIELD, None),
    ("exit code", "Exit code 1\npermission denied", True, {}, Out.EXECUTED_ERROR, TEXT, None),
    ("old clients print no exit code", "npm ERR! code 1", True, {}, Out.EXECUTED_ERROR, HEURISTIC, None),
    ("rejected", REJECTED, True, {}, Out.USER_REJECTED, TEXT, None),
    ("rejected, in blocks", [{"type": "text", "text": REJECTED}], True, {}, Out.USER_REJECTED, TEXT, None),
    (
        "rejected, by the side field",
        "",
        True,
        {"toolUseResult": "User rejected tool use"},
        Out.USER_REJECTED,
        TEXT,
        None,
    ),
    (
        "stay in plan mode",
        "User chose to stay in plan mode and continue planning",
        True,
        {},
        Out.USER_REJECTED,
        TEXT,
        None,
    ),
    ("cancelled", "<tool_use_error>Sibling tool call errored</tool_use_error>", True, {}, Out.CANCELLED, TEXT, None),
    ("interrupted", "[Request interrupted by user for tool use]", True, {}, Out.CANCELLED, TEXT, None),
    ("rule", "Permission to use Bash with command rm x has been denied.", True, {}, Out.RULE_DENIED, TEXT, None),
    ("rule, bare", "Permission to use WebFetch has been denied.", True, {}, Out.RULE_DENIED, TEXT, None),
    (
        "rule, files",
        "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
        True,
        {},
        Out.RULE_DENIED,
        TEXT,
        None,
    ),
    (
        "rule, a command that quotes the mode's sentence",
        "Permission to use Bash with command echo has been denied because Claude Code is running in x has been denied.",
        True,
        {},
        Out.RULE_DENIED,
        TEXT,
        None,
    ),
    (
        "mode",
        "Permission to use Bash has been denied because Claude Code is running in don't ask mode.",
        True,
        {},
        Out.MODE_DENIED,
        TEXT,
        None,
    ),
    (
        "background agent",
        "Permission to use Bash has been auto-denied (prompts unavailable)",
        True,
        {},
        Out.MODE_DENIED,
        TEXT,
        None,
    ),
    (
        "nobody to ask",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        True,
        {},
        Out.ASK_UNANSWERED,
        TEXT,
        None,
    ),
    (
        "nobody to ask, in parts",
        "This Bash command contains multiple operations. The following parts require approval: curl x, wget y",
        True,
        {},
        Out.ASK_UNANSWERED,
        TEXT,
        None,
    ),
    ("nobody to ask, too complex", "Contains simple_expansion", True, {}, Out.ASK_UNANSWERED, TEXT, None),
    (
        "outside",
        "cd in '/etc' was blocked. For security, Claude Code may only change directories to",
        True,
        {},
        Out.PATH_BLOCKED,
        TEXT,
        None,
    ),
    ("hook, exit 2", "PreToolUse:Bash hook error: [guard.sh]: no", True, {}, Out.HOOK_DENIED, TEXT, None),
    ("hook, 1.0", "Bash operation blocked by hook:\n- [guard.sh]: no", True, {}, Out.HOOK_DENIED, TEXT, None),
    (
        "classifier",
        "Permission for this action was denied by the Claude Code auto mode classifier. Reason: x",
        True,
        {},
        Out.AUTOMODE_BLOCKED,
        TEXT,
        None,
    ),
    (
        "no classifier",
        "model-x is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.",
        True,
        {},
        Out.AUTOMODE_UNAVAILABLE,
        TEXT,
        None,
    ),
    ("invalid", "<tool_use_error>Blocked: sleep 60</tool_use_error>", True, {}, Out.VALIDATION_ERROR, TEXT, None),
    ("invalid, unwrapped", "File has not been read yet. Read it first", True, {}, Out.VALIDATION_ERROR, TEXT, None),
    # toolDenialKind, and its two wide words
    ("kind", REJECTED, True, {"toolDenialKind": "user-rejected"}, Out.USER_REJECTED, FIELD, None),
    (
        "kind says user, text says nobody",
        "This command requires approval",
        True,
        {"toolDenialKind": "user-rejected"},
        Out.ASK_UNANSWERED,
        TEXT,
        None,
    ),
    (
        "kind says user, text is the reason to ask",
        "A backtick in this command can't be checked",
        True,
        {"toolDenialKind": "user-rejected"},
        Out.ASK_UNANSWERED,
        HEURISTIC,
        None,
    ),
    (
        "kind says rule, text says hook",
        "PreToolUse:Bash hook error: [x]: no",
        True,
        {"toolDenialKind": "permission-rule"},
        Out.HOOK_DENIED,
        TEXT,
        None,
    ),
    (
        "kind says rule, free words are a hook's",
        "use the wrapper instead",
        True,
        {"toolDenialKind": "permission-rule"},
        Out.HOOK_DENIED,
        HEURISTIC,
        None,
    ),
    ("kind automode", "x", True, {"toolDenialKind": "automode-blocked"}, Out.AUTOMODE_BLOCKED, FIELD, None),
    ("kind nobody knows", "x", True, {"toolDenialKind": "eclipse"}, Out.UNKNOWN, FIELD, None),
    # permissionDecision, 2.1.332
    ("accepted by settings", "ok", None, _decision(decision="accept", source="config"), Out.EXECUTED, FIELD, False),
    (
        "accepted by a person",
        "ok",
        None,
        _decision(decision="accept", source="user_temporary"),
        Out.EXECUTED,
        FIELD,
        True,
    ),
    (
        "accepted, and failed",
        "Exit code 1",
        True,
        _decision(decision="accept", source="config"),
        Out.EXECUTED_ERROR,
        TEXT,
        False,
    ),
    (
        "refused by a person in free words",
        "probe says no",
        True,
        {
            "toolDenialKind": "permission-rule",
            **_decision(decision="reject", source="user_reject", reasonCode="unknown"),
        },
        Out.USER_REJECTED,
        FIELD,
        True,
    ),
    (
        "refused by a rule",
        "x",
        True,
        _decision(decision="reject", source="config", reasonType="subcommandResults"),
        Out.RULE_DENIED,
        FIELD,
        False,
    ),
    (
        "refused by the mode",
        "x",
        True,
        _decision(decision="reject", source="config", reasonType="mode", reasonCode="mode:dontAsk"),
        Out.MODE_DENIED,
        FIELD,
        False,
    ),
    (
        "refused by a hook",
        "x",
        True,
        _decision(decision="reject", source="hook", reasonType="hook"),
        Out.HOOK_DENIED,
        FIELD,
        False,
    ),
    (
        "no one to ask",
        "x",
        True,
        _decision(decision="reject", source="config", reasonCode="bashMiss:too-complex"),
        Out.ASK_UNANSWERED,
        FIELD,
        False,
    ),
    (
        "no classifier, by code",
        "x",
        True,
        _decision(
            decision="reject", source="config", reasonType="classifier", reasonCode="classifier:auto-mode:unavailable"
        ),
        Out.AUTOMODE_UNAVAILABLE,
        FIELD,
        False,
    ),
    (
        "classifier, by type",
        "x",
        True,
        _decision(decision="reject", source="config", reasonType="classifier", reasonCode="classifier:auto-mode"),
        Out.AUTOMODE_BLOCKED,
        FIELD,
        False,
    ),
    (
        "critical removal",
        "x",
        True,
        _decision(decision="reject", source="config", reasonType="safetyCheck"),
        Out.PATH_BLOCKED,
        FIELD,
        False,
    ),
]


@pytest.mark.parametrize(
    ("text", "error", "fields", "outcome", "grounds", "prompted"),
    [case[1:] for case in CASES],
    ids=[c[0] for c in CASES],
)
def test_outcome(
    tmp_path: Path,
    text: Any,
    error: bool | None,
    fields: dict[str, Any],
    outcome: Out,
    grounds: Grounds,
    prompted: bool | None,
) -> None:
    calls, problems = read_all(write(tmp_path / "s.jsonl", use(), result(text=text, error=error, **fields)))
    assert problems == []
    assert [(c.outcome, c.evidence.grounds, c.prompted) for c in calls] == [(outcome, grounds, prompted)]


def test_the_twin_says_it_per_result(tmp_path: Path) -> None:
    meta = {"id": call_id(1), "permission_decision": {"decision": "reject", "source": "config", "reason_type": "rule"}}
    other = {"id": call_id(2), "permission_decision": {"decision": "accept", "source": "config"}}
    line = result(1, "x", error=True, tool_result_meta=[other, meta])
    calls, _ = read_all(write(tmp_path / "s.jsonl", use(), line))
    assert [(c.outcome, c.evidence.grounds) for c in calls] == [(Out.RULE_DENIED, FIELD)]


def test_the_twin_of_older_clients_says_it_in_a_line_of_its_own(tmp_path: Path) -> None:
    said = {"type": "system", "subtype": "permission_denied", "tool_use_id": call_id(1), "decision_reason_type": "mode"}
    meta = {"id": call_id(1), "non_execution_kind": "permission-rule"}
    line = result(1, "free words", error=True, tool_result_meta=[meta])
    calls, _ = read_all(write(tmp_path / "s.jsonl", use(), said, line))
    assert [(c.outcome, c.evidence.grounds) for c in calls] == [(Out.MODE_DENIED, FIELD)]


def _hook_progress() -> dict[str, Any]:
    data = {"type": "hook_progress", "hookEvent": "PreToolUse", "hookName": "PreToolUse:Bash", "command": "guard.sh"}
    return {"type": "progress", "data": data, "parentToolUseID": call_id(1), "sessionId": use()["sessionId"]}


def _attachment(kind: str) -> dict[str, Any]:
    inner = {"type": kind, "hookEvent": "PreToolUse", "hookName": "PreToolUse:Bash", "toolUseID": call_id(1)}
    return {"type": "attachment", "attachment": inner, "sessionId": use()["sessionId"]}


@pytest.mark.parametrize(
    ("sign", "tool", "text", "outcome"),
    [
        pytest.param(_hook_progress(), "Bash", "Validation failed", Out.HOOK_DENIED, id="a hook ran, no exit code"),
        pytest.param(
            _hook_progress(), "Bash", "Exit code 2\nx", Out.EXECUTED_ERROR, id="a hook ran, the command failed"
        ),
        pytest.param(_hook_progress(), "Read", "EISDIR", Out.EXECUTED_ERROR, id="other tools fail without a code"),
        pytest.param(
            _attachment("hook_blocking_error"), "Edit", "No.", Out.HOOK_DENIED, id="a blocking error is recorded"
        ),
        pytest.param(_attachment("hook_success"), "Edit", "No.", Out.EXECUTED_ERROR, id="a good end is recorded"),
    ],
)
def test_hooks_that_refuse_in_their_own_words(
    tmp_path: Path, sign: dict[str, Any], tool: str, text: str, outcome: Out
) -> None:
    lines = [use(tool=tool), sign, result(text=text, error=True)]
    calls, problems = read_all(write(tmp_path / "s.jsonl", *lines))
    assert problems == []
    assert [c.outcome for c in calls] == [outcome]


def test_every_outcome_runs_or_is_refused_or_neither_but_never_both() -> None:
    assert not [outcome for outcome in Out if outcome.ran and outcome.refused]
    assert {o for o in Out if not (o.ran or o.refused)} == {
        Out.CANCELLED,
        Out.VALIDATION_ERROR,
        Out.NO_RESULT,
        Out.UNKNOWN,
    }


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.pattern.pattern[:40])
def test_markers_hold_at_the_start_only(marker: Any) -> None:
    assert not marker.pattern.pattern.startswith((".*", "(?s)"))
    assert marker.pattern.match("") is None
