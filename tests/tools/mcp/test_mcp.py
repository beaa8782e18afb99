"""MCP tools against a real server process, over both transports."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.model import Mode, Policy, ToolCall
from toolaudit.model.workspace import RealWorkspace
from toolaudit.pipeline.live import run_call
from toolaudit.settings import load
from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
from toolaudit.tools.effects.commands import MARK, Refusing, Unconfined, find_runner
from toolaudit.tools.interface import Tool, ToolError

pytest.importorskip("mcp", reason="MCP servers need the SDK: pip install toolaudit[mcp]")

from toolaudit.tools.mcp.connection import connect
from toolaudit.tools.mcp.servers import Server, ServerError, read
from toolaudit.tools.mcp.tool import name_of, tools_of

SCRIPT = Path(__file__).with_name("server.py")
STDIO = Server("books", (sys.executable, str(SCRIPT)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Tool[Any, Any, Any]]]:
    with connect([STDIO], Unconfined(), str(tmp_path_factory.mktemp("cwd"))) as (connection,):
        yield {tool.name: tool for tool in tools_of(connection)}


@pytest.fixture
def context(tmp_path: Path) -> ToolUseContext:
    return context_of(Policy(), tmp_path)


def context_of(policy: Policy, directory: Path, *tools: Tool[Any, Any, Any]) -> ToolUseContext:
    workspace = RealWorkspace(str(directory), str(directory))
    return ToolUseContext(PermissionContext(policy, Mode.DEFAULT, workspace), Options(tools=tools))


def given(tool: Tool[Any, Any, Any], **values: Any) -> Any:
    return tool.input_schema.model_validate(values)


def called(tool: Tool[Any, Any, Any], context: ToolUseContext, **values: Any) -> list[dict[str, Any]]:
    return list(tool.call(given(tool, **values), context, lambda news: None).data)


def test_tools_carry_the_servers_name_and_wait_for_their_schema(served: dict[str, Tool[Any, Any, Any]]) -> None:
    assert set(served) == {f"mcp__books__{name}" for name in "lookup shelve burn recite leave scribble".split()}
    assert all(tool.should_defer and tool.source == "books" for tool in served.values())
    assert served["mcp__books__lookup"].schema()["properties"]["copies"]["type"] == "integer"


def test_a_call_goes_to_the_server_and_back(served: dict[str, Tool[Any, Any, Any]], context: ToolUseContext) -> None:
    blocks = called(served["mcp__books__lookup"], context, title="Emma", copies=3)
    assert blocks == [{"type": "text", "text": "Emma: 3 on the shelf"}]


@pytest.mark.parametrize(
    ("name", "read_only", "destructive", "limit"),
    [("lookup", True, False, 100_000), ("shelve", False, False, 200_000), ("burn", False, True, 500_000)],
)
def test_annotations_and_sizes_are_the_servers_word(
    served: dict[str, Tool[Any, Any, Any]], name: str, read_only: bool, destructive: bool, limit: int
) -> None:
    tool = served[f"mcp__books__{name}"]
    one = given(tool, title="Emma")
    assert (tool.is_read_only(one), tool.is_concurrency_safe(one)) == (read_only, read_only)
    assert tool.is_destructive(one) is destructive
    assert tool.max_result_size_chars == limit


def test_a_failure_is_the_servers_own_words(served: dict[str, Tool[Any, Any, Any]], context: ToolUseContext) -> None:
    with pytest.raises(ToolError, match="Emma is not to be burnt"):
        called(served["mcp__books__burn"], context, title="Emma")


def test_a_result_that_is_too_long_is_cut(served: dict[str, Tool[Any, Any, Any]], context: ToolUseContext) -> None:
    (block,) = called(served["mcp__books__recite"], context, characters=150_000)
    assert len(block["text"]) < 101_000
    assert block["text"].endswith("[The rest of the result was left out: too long.]")


def test_a_server_that_leaves_is_named(tmp_path: Path, context: ToolUseContext) -> None:
    with connect([STDIO], Unconfined(), str(tmp_path)) as (connection,):
        tools = {tool.name: tool for tool in tools_of(connection)}
        with pytest.raises(ToolError, match="MCP server books"):
            called(tools["mcp__books__leave"], context)


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    marked = Server("books", STDIO.command, {MARK: f"orphan-{os.getpid()}"})
    with connect([marked], Unconfined(), str(tmp_path)):
        assert _running(f"{MARK}=orphan-{os.getpid()}")
    deadline = time.monotonic() + 10
    while _running(f"{MARK}=orphan-{os.getpid()}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(f"{MARK}=orphan-{os.getpid()}")


def _running(mark: str) -> bool:
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and mark.encode() in (entry / "environ").read_bytes():
                return True
        except OSError:
            continue
    return False


@pytest.mark.skipif(isinstance(find_runner(), Refusing), reason="needs a sandbox")
@pytest.mark.skipif(sys.executable.startswith("/tmp/"), reason="the sandbox hides /tmp, and this Python stands there")
def test_a_server_in_the_sandbox_writes_nowhere(tmp_path: Path, context: ToolUseContext) -> None:
    inside = tmp_path / "work"
    inside.mkdir()
    with connect([STDIO], find_runner(), str(inside)) as (connection,):
        tools = {tool.name: tool for tool in tools_of(connection)}
        blocks = called(tools["mcp__books__scribble"], context, path=str(inside / "x"))
    assert blocks[0]["text"].startswith("could not write")
    assert not (inside / "x").exists()


@pytest.mark.parametrize(("rule", "ran"), [("mcp__books__lookup", True), ("mcp__books", True), ("mcp__other", False)])
def test_rules_decide_about_a_servers_tools(
    served: dict[str, Tool[Any, Any, Any]], tmp_path: Path, rule: str, ran: bool
) -> None:
    from toolaudit.tools.messages import Message

    policy = load(cli_allow=[rule], home=str(tmp_path), cwd=str(tmp_path))
    context = context_of(policy, tmp_path, *served.values())
    loaded = Message("user", ({"type": "tool_reference", "tool_name": "mcp__books__lookup"},))
    from toolaudit.structs import replace

    outcome = run_call(ToolCall("mcp__books__lookup", {"title": "Emma"}, "t1"), replace(context, messages=(loaded,)))
    assert outcome.executed is ran


def test_over_http_only_where_it_is_allowed(tmp_path: Path, context: ToolUseContext) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(SCRIPT), str(port)], stderr=subprocess.DEVNULL)
    try:
        _wait(port)
        server = Server("books", url=f"http://127.0.0.1:{port}/mcp")
        with pytest.raises(ServerError, match="are not allowed"), connect([server], Unconfined(), str(tmp_path)):
            pass
        with connect([server], Unconfined(), str(tmp_path), hosts=[f"127.0.0.1:{port}"]) as (connection,):
            tools = {tool.name: tool for tool in tools_of(connection)}
            assert called(tools["mcp__books__lookup"], context, title="Emma")[0]["text"] == "Emma: 1 on the shelf"
    finally:
        process.kill()
        process.wait()


def _wait(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server did not start")


def test_a_server_that_does_not_start_is_named(tmp_path: Path) -> None:
    server = Server("gone", ("/nonexistent/server",))
    with (
        pytest.raises(ServerError, match="MCP server gone can't be reached"),
        connect([server], Unconfined(), str(tmp_path)),
    ):
        pass


GOOD = {"mcpServers": {"a": {"command": "serve", "args": ["--root", "${ROOT:-/srv}"], "env": {"KEY": "${KEY}"}}}}
BAD = {
    "no-json": ("{", r"\.mcp\.json:1:2: expected JSON"),
    "no-servers": ("{}", "expected an object mcpServers"),
    "bad-name": ('{"mcpServers": {"a b": {"command": "x"}}}', "expected a name of letters"),
    "bad-command": ('{"mcpServers": {"a": {"command": 1}}}', r"mcpServers\.a\.command: expected a string, got int"),
    "bad-type": ('{"mcpServers": {"a": {"type": "pigeon"}}}', "expected stdio or http, got 'pigeon'"),
    "no-variable": ('{"mcpServers": {"a": {"command": "${NOPE}"}}}', "the variable NOPE is not set"),
}


def test_the_file_of_a_project_is_read_and_nothing_started(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(json.dumps(GOOD))
    assert read(path, {"KEY": "k"}) == (Server("a", ("serve", "--root", "/srv"), {"KEY": "k"}),)


@pytest.mark.parametrize("case", BAD)
def test_faults_of_the_file_are_named(tmp_path: Path, case: str) -> None:
    text, said = BAD[case]
    path = tmp_path / ".mcp.json"
    path.write_text(text)
    with pytest.raises(ServerError, match=said):
        read(path, {})


@pytest.mark.parametrize(
    ("server", "tool", "name"), [("a", "b", "mcp__a__b"), ("my server", "x.y", "mcp__my_server__x_y")]
)
def test_names_hold_only_what_rules_can_say(server: str, tool: str, name: str) -> None:
    assert name_of(server, tool) == name
