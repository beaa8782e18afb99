"""What each format says beside the call: session, directory, time, version, and whether anybody was asked.

One small recording for each fact of the formats' notes, held against all of what the reader makes of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_foreign import CODEX, COPILOT, LS, archive, codex_call, codex_output, copilot, gemini, lines, read_bytes

from toolaudit.transcripts import RecordedCall, Trouble
from toolaudit.transcripts import RecordedOutcome as Out
from toolaudit.transcripts.reading import read

AT = "2026-01-02T03:04:05.000Z"
NUMBER = 1_767_323_045
"""The same moment in seconds since 1970."""


def codex(payload: dict[str, Any], type: str = "response_item", **line: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": type, "payload": payload, **line}


def turn(**context: Any) -> dict[str, Any]:
    return codex(context, "turn_context")


def document(*values: Any) -> bytes:
    return json.dumps(values[0] if len(values) == 1 else list(values)).encode()


def swe(action: str, arguments: dict[str, Any] | None = None, name: str = "edit") -> bytes:
    step = {"action": action, "observation": "", "state": {"open_file": "/srv/a.py", "working_dir": "/srv"}}
    message: dict[str, Any] = {"message_type": "action", "action": action}
    if arguments is not None:
        message["tool_calls"] = [{"id": "c", "function": {"name": name, "arguments": json.dumps(arguments)}}]
    return document({"environment": "e", "trajectory": [step, step], "history": [message, message]})


def newer(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "tool_call_id": "v", "tool_name": "terminal", "timestamp": AT, "source": "agent", **fields}


V1_CALL = newer("ActionEvent", action={"kind": "TerminalAction", "command": "ls"})
V0_CALL = {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls"}, "timestamp": AT}
V0_START = {"id": 0, "source": "user", "action": "message", "args": {"wait_for_response": False}}


def v0(state: str) -> dict[str, Any]:
    return {**V0_CALL, "args": {"command": "ls", "confirmation_state": state}}


def v0_end(id: int, place: str = "/srv/b") -> dict[str, Any]:
    metadata = {"exit_code": 0, "working_dir": place}
    return {"id": id + 100, "cause": id, "observation": "run", "extras": {"metadata": metadata}}


def atif(id: str = "a1", **fields: Any) -> dict[str, Any]:
    call = {"tool_call_id": id, "function_name": "bash", "arguments": {"command": "ls"}}
    step = {"step_id": 1, "source": "agent", "timestamp": AT, "tool_calls": [call]}
    return {"schema_version": "ATIF-v1.7", "session_id": "s", "steps": [{**step, **fields}]}


def approved(decision: str, approver: str = "human", **fields: Any) -> dict[str, Any]:
    call = {"id": "i1", "function": "bash", "arguments": {"cmd": "attachment://a"}}
    return {"event": "approval", "approver": approver, "decision": decision, "call": call, "timestamp": AT, **fields}


TOOL = {"event": "tool", "id": "i1", "function": "bash", "arguments": {"cmd": "ls"}, "result": "x", "timestamp": AT}


def sample(*events: dict[str, Any]) -> bytes:
    return archive({"id": 7, "epoch": 1, "uuid": "u", "attachments": {"a": "ls"}, "events": events})


def mini(extra: dict[str, Any], *answers: dict[str, Any]) -> bytes:
    info = {"mini_version": "2.1", "config": {"environment": {"cwd": "/srv"}}}
    said = {"role": "assistant", "content": "", "extra": extra}
    return document({"trajectory_format": "mini-swe-agent-1.1", "info": info, "messages": [said, *answers]})


def opencode_part(**fields: Any) -> dict[str, Any]:
    state = {"status": "completed", "input": {"command": "ls"}, "time": {"start": NUMBER * 1000}}
    return {"type": "tool", "callID": "o1", "messageID": "m", "tool": "bash", "state": {**state, **fields}}


EXPORT = {
    "info": {"id": "s", "version": "1.3", "directory": "/srv"},
    "messages": [{"info": {}, "parts": [opencode_part()]}],
}

FACTS: dict[str, tuple[bytes, list[dict[str, Any]]]] = {
    "codex: session, version, directory and time": (
        lines(CODEX, codex_call("shell", {"command": "ls"}), codex_output("x")),
        [
            {
                "session": "s",
                "version": "0.1",
                "cwd": "/srv/app",
                "root": "/srv/app",
                "timestamp": "2026-01-02T03:04:05Z",
            }
        ],
    ),
    "codex: the turn's directory, and the call's own, relative to it": (
        lines(
            CODEX,
            turn(cwd="/srv/b"),
            codex_call("shell", {"command": "ls"}, "1"),
            codex_call("shell", {"command": "ls", "workdir": "sub/../c"}, "2"),
        ),
        [{"cwd": "/srv/b", "root": "/srv/app"}, {"cwd": "/srv/b/c"}],
    ),
    "codex: nobody is asked under approval policy never": (
        lines(
            CODEX,
            turn(approval_policy="never"),
            codex_call("shell", {"command": "ls"}, "1"),
            codex_output("Exit code: 0", "1"),
            turn(approval_policy="on-request"),
            codex_call("shell", {"command": "ls"}, "2"),
            codex_output("Exit code: 0", "2"),
        ),
        [{"prompted": False}, {"prompted": None}],
    ),
    "codex: a fork repeats its origin's head": (
        lines(
            CODEX,
            codex({"id": "origin", "cwd": "/old", "cli_version": "0"}, "session_meta"),
            codex_call("shell", {"command": "ls"}),
        ),
        [{"session": "s", "version": "0.1", "root": "/srv/app"}],
    ),
    "codex: a compaction repeats items, an event repeats a result": (
        lines(
            CODEX,
            codex_call("shell", {"command": "ls"}),
            codex({"type": "exec_command_end", "call_id": "c1", "exit_code": 2}, "event_msg"),
            codex_output("Process exited with code 0"),
            codex(
                {"message": "", "replacement_history": [codex_call("shell", {"command": "ls"})["payload"]]}, "compacted"
            ),
        ),
        [{"outcome": Out.EXECUTED_ERROR}],
    ),
    "codex: a patch through the shell": (
        lines(
            CODEX,
            codex_call("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch"]}),
        ),
        [{"call": ("Bash", {"command": "rm -- a"})}],
    ),
    "codex: lines of the oldest kind have no ids": (
        lines(
            {"timestamp": AT, "type": "tool_call", "function": {"name": "shell"}, "arguments": '{"command": "ls"}'},
            {"timestamp": AT, "type": "tool_result", "name": "shell", "result": "x"},
        ),
        [{"call": LS, "outcome": Out.EXECUTED, "timestamp": AT}],
    ),
    "copilot: approved after a prompt": (
        lines(
            COPILOT,
            {**copilot("tool.execution_start", toolName="bash", arguments={"command": "ls"}), "timestamp": AT},
            {
                "type": "permission.requested",
                "id": "e",
                "data": {"permissionRequest": {"kind": "shell", "toolCallId": "t1"}},
            },
            copilot("permission.completed", result={"kind": "approved"}),
            copilot("tool.execution_complete", success=True),
        ),
        [{"session": "s", "cwd": "/srv/app", "timestamp": AT, "prompted": True, "outcome": Out.EXECUTED}],
    ),
    **{
        f"copilot: {kind}": (
            lines(
                COPILOT,
                copilot("tool.execution_start", toolName="bash", arguments={"command": "ls"}),
                copilot("permission.completed", result={"kind": kind}),
                copilot("tool.execution_complete", success=False, error={"code": "denied"}),
            ),
            [{"outcome": outcome}],
        )
        for kind, outcome in {
            "denied-interactively-by-user": Out.USER_REJECTED,
            "denied-by-rules": Out.RULE_DENIED,
            "denied-by-policy": Out.RULE_DENIED,
            "denied-by-permission-request-hook": Out.HOOK_DENIED,
            "denied-no-approval-rule-and-could-not-request-from-user": Out.ASK_UNANSWERED,
        }.items()
    },
    "gemini: lines that add, set and take back": (
        lines(
            {"sessionId": "s", "projectHash": "h", "directories": ["/srv"]},
            {
                "id": "m",
                "type": "gemini",
                "timestamp": AT,
                "toolCalls": [{"id": "g1", "name": "run_shell_command", "args": {"command": "ls"}}],
            },
            {"$set": {"messages": gemini("success")["messages"]}},
            {"$rewindTo": "m"},
            {"$set": {"lastUpdated": AT}},
        ),
        [{"call": LS, "session": "s", "cwd": "/srv", "timestamp": AT, "outcome": Out.EXECUTED}],
    ),
    "opencode: an export": (
        document(EXPORT),
        [{"session": "s", "version": "1.3", "cwd": "/srv", "timestamp": AT, "outcome": Out.EXECUTED}],
    ),
    "opencode: a stored part of the oldest kind": (
        document(opencode_part(status="success", input={"command": "ls", "cwd": "/srv"})),
        [{"cwd": "/srv", "outcome": Out.EXECUTED}],
    ),
    "opencode: a rule's denial": (
        document(
            opencode_part(status="error", error="The user has specified a rule which prevents you from using this tool")
        ),
        [{"outcome": Out.RULE_DENIED}],
    ),
    "openhands 0: the shell's directory moves on": (
        document(V0_START, V0_CALL, v0_end(1), {**V0_CALL, "id": 2}, v0_end(2, "/srv/c")),
        [{"timestamp": AT}, {"cwd": "/srv/b"}],
    ),
    "openhands 0: somebody is asked": (
        document(V0_START, v0("awaiting_confirmation"), v0_end(1)),
        [{"prompted": True}],
    ),
    "openhands 0: `confirmed` is no sign of it": (document(V0_START, v0("confirmed"), v0_end(1)), [{"prompted": None}]),
    "openhands 0: rejected": (document(V0_START, v0("rejected")), [{"outcome": Out.USER_REJECTED}]),
    "openhands 1": (
        document(V1_CALL, newer("ObservationEvent", observation={"is_error": False, "exit_code": 1, "metadata": {}})),
        [{"call": LS, "timestamp": AT, "outcome": Out.EXECUTED_ERROR}],
    ),
    "openhands 1: refused by a person": (
        document(V1_CALL, newer("UserRejectObservation", rejection_reason="no")),
        [{"outcome": Out.USER_REJECTED}],
    ),
    "openhands 1: refused by a hook": (
        document(V1_CALL, newer("UserRejectObservation", rejection_source="hook")),
        [{"outcome": Out.HOOK_DENIED}],
    ),
    "swe-agent: the model's own call": (
        swe("edit 'x' 'y'", {"search": "x", "replace": "y"}),
        [{"call": ("Edit", {"file_path": "/srv/a.py", "old_string": "x", "new_string": "y"}), "cwd": "/srv"}],
    ),
    "swe-agent: the editor as a command": (
        swe("str_replace_editor create /srv/b.py --file_text 'x = 1'"),
        [{"call": ("Write", {"file_path": "/srv/b.py", "content": "x = 1"})}],
    ),
    "mini-swe-agent 2: commands as data, answered in order": (
        mini(
            {"actions": [{"command": "ls"}, {"command": "pwd"}], "timestamp": NUMBER},
            {"role": "user", "content": "<returncode>0</returncode>"},
            {"role": "user", "content": "", "extra": {"returncode": 1}},
        ),
        [
            {"call": LS, "cwd": "/srv", "version": "2.1", "timestamp": AT, "outcome": Out.EXECUTED},
            {"call": ("Bash", {"command": "pwd"}), "outcome": Out.EXECUTED_ERROR},
        ],
    ),
    "mini-swe-agent 2: answers by id": (
        mini(
            {"actions": [{"command": "ls", "tool_call_id": "1"}, {"command": "pwd", "tool_call_id": "2"}]},
            {"role": "tool", "tool_call_id": "2", "content": "<returncode>1</returncode>"},
            {"role": "tool", "tool_call_id": "1", "content": "<returncode>0</returncode>"},
        ),
        [{"call": LS, "outcome": Out.EXECUTED}, {"outcome": Out.EXECUTED_ERROR}],
    ),
    "atif: session, time, sub-agents": (
        document({**atif(), "subagent_trajectories": [atif("a2")]}),
        [{"session": "s", "timestamp": AT, "sidechain": False}, {"session": "s", "sidechain": True}],
    ),
    "atif: what was copied from the trajectory before is told there": (document(atif(is_copied_context=True)), []),
    "inspect: approved by a person": (
        sample(approved("approve"), TOOL),
        [{"call": LS, "session": "u/1", "timestamp": AT, "prompted": True, "outcome": Out.EXECUTED}],
    ),
    "inspect: approved by a program": (sample(approved("approve", "auto"), TOOL), [{"prompted": None}]),
    "inspect: rejected, its arguments kept apart": (
        sample(approved("reject")),
        [{"call": LS, "outcome": Out.USER_REJECTED}],
    ),
    "inspect: ended by a program": (sample(approved("terminate", "policy")), [{"outcome": Out.HOOK_DENIED}]),
    "inspect: modified": (
        sample(approved("modify", modified={"id": "i1", "function": "bash", "arguments": {"cmd": "pwd"}}), TOOL),
        [{"call": ("Bash", {"command": "pwd"}), "prompted": True}],
    ),
    "messages: what Claude Code writes of a refusal": (
        document(
            {
                "session_id": "s",
                "cwd": "/srv",
                "messages": [
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_use", "id": "m1", "name": "Bash", "input": LS[1]}],
                    },
                    {
                        "role": "user",
                        "content": [
                            {
                                "type": "tool_result",
                                "tool_use_id": "m1",
                                "is_error": True,
                                "content": [{"type": "text", "text": "Permission to use Bash has been denied."}],
                            }
                        ],
                    },
                ],
            }
        ),
        [{"session": "s", "cwd": "/srv", "outcome": Out.RULE_DENIED}],
    ),
}


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_of_a_format(tmp_path: Path, fact: str) -> None:
    data, expected = FACTS[fact]
    calls, problems, _ = read_bytes(tmp_path, data)
    assert not problems
    if fact.startswith("swe-agent"):
        calls = calls[1:]  # what is open is known from the step before
    assert len(calls) == len(expected)
    for call, fields in zip(sorted(calls, key=lambda each: each.call.id or ""), expected, strict=True):
        found = {name: getattr(call, name) for name in fields if name != "call"}
        if "call" in fields:
            found["call"] = (call.call.tool, dict(call.call.input))
        assert found == fields


def test_a_file_without_a_session_id_is_a_session_of_its_own(tmp_path: Path) -> None:
    calls, _, _ = read_bytes(tmp_path, swe("ls"))
    assert {call.session for call in calls} == {str(tmp_path / "recording.json")}


def test_calls_of_two_files_that_share_a_short_id_and_have_no_time_are_two(tmp_path: Path) -> None:
    conversation = document(
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "bash", "arguments": "{}"}}]}, {}
    )
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_bytes(conversation)
    assert sum(isinstance(event, RecordedCall) for event in read([str(tmp_path)])) == 2


def test_a_trajectory_that_goes_on_elsewhere_says_so(tmp_path: Path) -> None:
    _, problems, _ = read_bytes(tmp_path, document({**atif(), "continued_trajectory_ref": "next.json"}))
    assert [problem.trouble for problem in problems] == [Trouble.LEFT_OUT]
    assert "next.json" in problems[0].detail
