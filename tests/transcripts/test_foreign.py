"""What each reader makes of another agent's recording: the client's calls, and what became of them."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.transcripts import FileRead, Problem, RecordedCall, Trouble
from toolaudit.transcripts import RecordedOutcome as Outcome
from toolaudit.transcripts.foreign.counterparts import TABLE, counterparts
from toolaudit.transcripts.formats import FORMATS, named
from toolaudit.transcripts.reading import read


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def codex_call(name: str, arguments: Any, id: str = "c1") -> dict[str, Any]:
    payload = {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": id}
    return {"timestamp": "2026-01-02T03:04:05Z", "type": "response_item", "payload": payload}


def codex_output(text: Any, id: str = "c1") -> dict[str, Any]:
    payload = {"type": "function_call_output", "call_id": id, "output": text}
    return {"type": "response_item", "payload": payload}


CODEX = {"type": "session_meta", "payload": {"id": "s", "cwd": "/srv/app", "cli_version": "0.1"}}
PATCH = """*** Begin Patch
*** Add File: a.py
+x
*** Update File: b.py
@@
-old
+new
*** Delete File: c.py
*** End Patch"""
COPILOT = {"type": "session.start", "id": "e", "data": {"sessionId": "s", "context": {"cwd": "/srv/app"}}}


def copilot(type: str, **data: Any) -> dict[str, Any]:
    return {"type": type, "id": "e", "data": {"toolCallId": "t1", **data}}


def tool_part(status: str, **state: Any) -> dict[str, Any]:
    state = {"status": status, "input": {"command": "ls"}, **state}
    return {
        "type": "tool_use",
        "sessionID": "s",
        "part": {"type": "tool", "callID": "o1", "tool": "bash", "state": state},
    }


def gemini(status: str) -> dict[str, Any]:
    call = {"id": "g1", "name": "run_shell_command", "args": {"command": "ls"}, "status": status}
    return {"sessionId": "s", "projectHash": "h", "messages": [{"type": "gemini", "toolCalls": [call]}]}


def archive(sample: dict[str, Any]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("header.json", "{}")
        out.writestr("samples/1_epoch_1.json", json.dumps(sample))
    return held.getvalue()


def inspect_tool(**fields: Any) -> dict[str, Any]:
    return {"event": "tool", "id": "i1", "function": "bash", "arguments": {"cmd": "attachment://a"}, **fields}


def approval(approver: str) -> dict[str, Any]:
    call = {"id": "i1", "function": "bash", "arguments": {"cmd": "ls"}}
    return {"event": "approval", "approver": approver, "decision": "reject", "call": call}


def database() -> bytes:
    with sqlite3.connect(":memory:") as made:
        made.execute("CREATE TABLE session (id TEXT, directory TEXT)")
        made.execute("CREATE TABLE part (id TEXT, session_id TEXT, data TEXT)")
        made.execute("INSERT INTO session VALUES ('s', '/srv/app')")
        made.execute("INSERT INTO part VALUES ('p', 's', ?)", [json.dumps(tool_part("completed")["part"])])
        made.commit()
        return made.serialize()


def openhands(*events: dict[str, Any]) -> bytes:
    opening = {"id": 0, "source": "user", "action": "message", "args": {"wait_for_response": False}}
    return json.dumps([opening, *events]).encode()


RUN = {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls"}}
MESSAGE = {"role": "assistant", "content": "```mswea_bash_command\nls\n```"}
OPENAI = {"id": "m1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
LS = ("Bash", {"command": "ls"})

CASES: dict[str, tuple[str, bytes, list[tuple[tuple[str, dict[str, Any]], Outcome]]]] = {
    "codex-shell-words": (
        "codex",
        lines(CODEX, codex_call("shell", {"command": ["bash", "-lc", "ls"]}), codex_output("Exit code: 0\nx")),
        [(LS, Outcome.EXECUTED)],
    ),
    "codex-argv": (
        "codex",
        lines(CODEX, codex_call("shell", {"command": ["git", "commit", "-m", "a b"]}), codex_output("Exit code: 1")),
        [(("Bash", {"command": "git commit -m 'a b'"}), Outcome.EXECUTED_ERROR)],
    ),
    "codex-rejected": (
        "codex",
        lines(CODEX, codex_call("exec_command", {"cmd": "ls"}), codex_output("exec command rejected by user")),
        [(LS, Outcome.USER_REJECTED)],
    ),
    "codex-patch": (
        "codex",
        lines(CODEX, codex_call("apply_patch", {"input": PATCH}), codex_output({"metadata": {"exit_code": 0}})),
        [
            (("Write", {"file_path": "a.py", "content": "x"}), Outcome.EXECUTED),
            (("Edit", {"file_path": "b.py", "old_string": "old", "new_string": "new"}), Outcome.EXECUTED),
            (("Bash", {"command": "rm -- c.py"}), Outcome.EXECUTED),
        ],
    ),
    "codex-without-result": (
        "codex",
        lines(CODEX, codex_call("shell_command", {"command": "ls"})),
        [(LS, Outcome.NO_RESULT)],
    ),
    "copilot-ran": (
        "copilot-cli",
        lines(
            COPILOT,
            copilot("tool.execution_start", toolName="bash", arguments={"command": "ls"}),
            copilot("tool.execution_complete", success=True),
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "copilot-refused": (
        "copilot-cli",
        lines(
            COPILOT,
            copilot(
                "assistant.message", toolRequests=[{"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls"}}]
            ),
            copilot("permission.completed", result={"kind": "denied-interactively-by-user"}),
        ),
        [(LS, Outcome.USER_REJECTED)],
    ),
    "gemini": ("gemini-cli", json.dumps(gemini("success")).encode(), [(LS, Outcome.EXECUTED)]),
    "gemini-cancelled": ("gemini-cli", json.dumps(gemini("cancelled")).encode(), [(LS, Outcome.USER_REJECTED)]),
    "opencode": ("opencode", lines(tool_part("completed", metadata={"exit": 1})), [(LS, Outcome.EXECUTED_ERROR)]),
    "opencode-refused": (
        "opencode",
        lines(tool_part("error", error="The user rejected permission to use this functionality")),
        [(LS, Outcome.USER_REJECTED)],
    ),
    "opencode-database": ("opencode", database(), [(LS, Outcome.EXECUTED)]),
    "pi": (
        "pi",
        lines(
            {"type": "session", "id": "s", "cwd": "/srv/app"},
            {
                "type": "message",
                "message": {
                    "role": "assistant",
                    "content": [{"type": "toolCall", "id": "p1", "name": "bash", "arguments": {"command": "ls"}}],
                },
            },
            {"type": "message", "message": {"role": "toolResult", "toolCallId": "p1", "isError": False, "content": []}},
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "openhands": (
        "openhands",
        openhands(RUN, {"id": 2, "cause": 1, "observation": "run", "extras": {"metadata": {"exit_code": 2}}}),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "openhands-refused": (
        "openhands",
        openhands(RUN, {"id": 2, "cause": 1, "observation": "user_rejected"}),
        [(LS, Outcome.USER_REJECTED)],
    ),
    "swe-agent": (
        "swe-agent",
        json.dumps(
            {
                "environment": "e",
                "trajectory": [
                    {"action": "ls\n", "observation": "", "state": '{"open_file": "/a.py", "working_dir": "/srv"}'},
                    {"action": "edit 1:1\nx\nend_of_edit", "observation": "", "state": {}},
                ],
            }
        ).encode(),
        [(LS, Outcome.EXECUTED), (("Edit", {"file_path": "/a.py", "new_string": "x\nend_of_edit"}), Outcome.EXECUTED)],
    ),
    "mini-swe-agent": (
        "mini-swe-agent",
        json.dumps([MESSAGE, {"role": "user", "content": "<returncode>1</returncode>"}]).encode(),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "atif": (
        "atif",
        json.dumps(
            {
                "schema_version": "ATIF-v1.5",
                "steps": [
                    {
                        "step_id": 1,
                        "source": "agent",
                        "tool_calls": [{"tool_call_id": "a1", "function_name": "bash", "arguments": {"command": "ls"}}],
                        "observation": {"results": [{"source_call_id": "a1", "content": "x"}]},
                    }
                ],
            }
        ).encode(),
        [(LS, Outcome.EXECUTED)],
    ),
    "inspect": (
        "inspect",
        archive({"id": 1, "attachments": {"a": "ls"}, "events": [inspect_tool(result="x")]}),
        [(LS, Outcome.EXECUTED)],
    ),
    "inspect-person": ("inspect", archive({"id": 1, "events": [approval("human")]}), [(LS, Outcome.USER_REJECTED)]),
    "inspect-program": ("inspect", archive({"id": 1, "events": [approval("policy")]}), [(LS, Outcome.HOOK_DENIED)]),
    "kimi": (
        "kimi",
        lines(
            {"type": "turn.prompt"},
            {"event": {"type": "tool.call", "toolCallId": "k1", "name": "Bash", "args": {"command": "ls"}}},
            {"event": {"type": "tool.result", "toolCallId": "k1", "result": {"isError": True}}},
        ),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "qwen": (
        "qwen",
        lines(
            {
                "sessionId": "s",
                "type": "assistant",
                "message": {
                    "role": "model",
                    "parts": [{"functionCall": {"id": "q1", "name": "run_shell_command", "args": {"command": "ls"}}}],
                },
            },
            {
                "sessionId": "s",
                "type": "tool_result",
                "message": {"parts": [{"functionResponse": {"id": "q1", "response": {"error": "no"}}}]},
            },
        ),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "droid-stream": (
        "droid",
        lines(
            {"type": "tool_call", "toolCallId": "d1", "toolName": "Shell", "parameters": {"command": "ls"}},
            {"type": "tool_result", "toolCallId": "d1", "value": {"exitCode": 3}},
        ),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "droid-stored": (
        "droid",
        lines(
            {"type": "session_start", "id": "s", "cwd": "/srv/app"},
            {
                "type": "message",
                "message": {"content": [{"type": "tool_use", "id": "d1", "name": "Execute", "input": LS[1]}]},
            },
            {"type": "message", "message": {"content": [{"type": "tool_result", "tool_use_id": "d1"}]}},
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "antigravity": (
        "antigravity",
        lines(
            {
                "step_index": 1,
                "source": "MODEL",
                "type": "PLANNER_RESPONSE",
                "created_at": "2026-01-02",
                "tool_calls": [{"name": "run_command", "args": {"CommandLine": '"ls"'}}],
            },
            {"step_index": 2, "source": "MODEL", "type": "RUN_COMMAND", "created_at": "2026-01-02", "status": "DONE"},
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "claude-replay": (
        "claude-replay",
        lines(
            {
                "user_text": "look",
                "blocks": [{"kind": "tool_use", "tool_call": {"name": "Bash", "input": LS[1], "result": "x"}}],
            }
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "grok": (
        "messages",
        lines(
            {"type": "assistant", "tool_calls": [{"id": "g1", "name": "bash", "arguments": '{"command": "ls"}'}]},
            {"type": "tool_result", "tool_call_id": "g1", "content": "x"},
        ),
        [(LS, Outcome.EXECUTED)],
    ),
    "anthropic": (
        "messages",
        json.dumps(
            {
                "messages": [
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_use", "id": "m1", "name": "bash", "input": {"command": "ls"}}],
                    },
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "m1", "is_error": True}]},
                ]
            }
        ).encode(),
        [(LS, Outcome.EXECUTED_ERROR)],
    ),
    "openai-chat": (
        "messages",
        json.dumps([{"role": "assistant", "tool_calls": [OPENAI]}, {"role": "tool", "tool_call_id": "m1"}]).encode(),
        [(LS, Outcome.EXECUTED)],
    ),
    "openai-responses": (
        "messages",
        json.dumps(
            {
                "output": [
                    {"type": "function_call", "call_id": "m1", "name": "bash", "arguments": '{"command": "ls"}'},
                    {"type": "function_call_output", "call_id": "m1", "output": "x"},
                ]
            }
        ).encode(),
        [(LS, Outcome.EXECUTED)],
    ),
}


def read_bytes(tmp_path: Path, data: bytes) -> tuple[list[RecordedCall], list[Problem], list[FileRead]]:
    path = tmp_path / "recording.json"
    path.write_bytes(data)
    events = list(read([str(path)]))
    return (
        [event for event in events if isinstance(event, RecordedCall)],
        [event for event in events if isinstance(event, Problem)],
        [event for event in events if isinstance(event, FileRead)],
    )


@pytest.mark.parametrize("case", CASES)
def test_a_recording_gives_the_calls_of_the_client(tmp_path: Path, case: str) -> None:
    format, data, expected = CASES[case]
    calls, problems, files = read_bytes(tmp_path, data)
    assert [file.format for file in files] == [format]
    assert problems == []
    found = [((each.call.tool, dict(each.call.input)), each.outcome) for each in calls]
    assert found == expected
    assert {each.agent for each in calls} == {format}


def test_every_foreign_format_has_a_case() -> None:
    assert {each.NAME for each in FORMATS} - {"claude-code", "claude-code-document"} == {
        case[0] for case in CASES.values()
    }


def test_what_has_no_counterpart_is_marked(tmp_path: Path) -> None:
    calls, _, _ = read_bytes(tmp_path, lines(CODEX, codex_call("translate", {"text": "x"}), codex_output("y")))
    assert [(each.call.tool, each.name, each.counterpart) for each in calls] == [("translate", "translate", False)]


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_call_without_the_needed_parameters_has_no_counterpart(name: str) -> None:
    assert bool(counterparts(name, {})) is not bool(TABLE[name].needed)


def test_a_command_runs_where_the_call_says() -> None:
    found = counterparts("exec_command", {"cmd": "ls", "workdir": "/srv/b"})
    assert [each.cwd for each in found] == ["/srv/b"]


@pytest.mark.parametrize("arguments", ["{", "[1]", "17", '"x"'])
def test_arguments_that_are_no_object_stay_text(tmp_path: Path, arguments: str) -> None:
    payload = {"type": "function_call", "name": "translate", "arguments": arguments, "call_id": "c1"}
    calls, _, _ = read_bytes(tmp_path, lines(CODEX, {"type": "response_item", "payload": payload}))
    assert [dict(each.call.input) for each in calls] == [{"input": arguments}]


def test_a_backslash_that_escapes_nothing_is_mended_and_named(tmp_path: Path) -> None:
    bad = (
        lines(CODEX, codex_call("shell", {"command": "ls"})).replace(b'"codex"', b'"x"')
        + b'{"type": "event_msg", "x": "\\d"}\n'
    )
    calls, problems, _ = read_bytes(tmp_path, bad)
    assert len(calls) == 1
    assert [problem.trouble for problem in problems] == [Trouble.REPAIRED]


def test_an_archive_that_is_damaged_is_named(tmp_path: Path) -> None:
    data = bytearray(archive({"id": 1, "events": [inspect_tool(result="x" * 500)]}))
    data[60:90] = bytes(30)
    _, problems, _ = read_bytes(tmp_path, bytes(data))
    assert {problem.trouble for problem in problems} == {Trouble.UNREADABLE}


def test_an_archive_that_only_inspect_can_unpack_says_so(tmp_path: Path) -> None:
    """Newer logs are compressed with zstd (method 93), which this Python's archives do not know."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError:
        data = bytearray(archive({"id": 1, "events": [inspect_tool(result="x")]}))
        for header, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            for found in re.finditer(re.escape(header), bytes(data)):
                data[found.start() + method] = 93
        _, problems, _ = read_bytes(tmp_path, bytes(data))
        assert [problem.trouble for problem in problems] == [Trouble.UNREADABLE]
        assert "install inspect_ai to read it" in problems[0].detail
    else:
        pytest.skip("inspect_ai is installed, and reads it")


def test_a_format_can_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_bytes(CASES["openai-chat"][1])
    forced = list(read([str(path)], forced=named("codex")))
    assert [event.format for event in forced if isinstance(event, FileRead)] == ["codex"]
    with pytest.raises(ValueError, match="expected one of antigravity, atif, "):
        named("nonsense")


NAMES = """
arguments args call_id content data event events function function_call_output id input kind message messages name
output parts payload request role source state status steps tool_calls tool_use tool type
""".split()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.NAME)
@given(values=st.lists(JSON, max_size=4), noise=st.binary(max_size=20))
def test_no_content_makes_a_reader_raise(format: Any, values: list[Any], noise: bytes) -> None:
    given_lines = [json.dumps(value).encode() + b"\n" for value in values] + [noise]
    format.detects(given_lines)
    for event in format.read(given_lines, "x"):
        assert isinstance(event, RecordedCall | Problem)
