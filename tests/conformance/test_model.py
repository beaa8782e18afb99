"""The stand-in for the Messages API and for MCP servers, over HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from toolaudit.conformance.live.model import PROMPT, Model, call_id, is_main

CALLS = [("Bash", {"command": "ls"}), ("Read", {"file_path": "/a b"})]
MAIN = [{"role": "user", "content": PROMPT}]


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(CALLS, [("one", "two"), ()]) as served:
        yield served


def post(model: Model, path: str, value: object, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(model.url + path, json.dumps(value).encode(), headers)
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.status, answer.read().decode()


def ask(model: Model, messages: object = MAIN, **headers: str) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(post(model, "/v1/messages?beta=true", {"messages": messages}, **headers)[1])
    return message


def test_calls_come_one_by_one_then_the_turn_ends(model: Model) -> None:
    replies = [ask(model) for _ in range(3)]
    assert [reply["stop_reason"] for reply in replies] == ["tool_use", "tool_use", "end_turn"]
    blocks = [reply["content"][0] for reply in replies]
    assert [(block["id"], block["name"], block["input"]) for block in blocks[:2]] == [
        (call_id(0), *CALLS[0]),
        (call_id(1), *CALLS[1]),
    ]
    assert model.played == 2


@pytest.mark.parametrize(
    ("messages", "headers"),
    [
        pytest.param([{"role": "user", "content": f"Title for: {PROMPT}"}], {}, id="title"),
        pytest.param(MAIN, {"X-Claude-Code-Agent-Id": "a1"}, id="sub-agent"),
        pytest.param([], {}, id="no messages"),
        pytest.param([{"role": "user", "content": [{"type": "text", "text": "x"}]}, *MAIN], {}, id="said later"),
    ],
)
def test_other_conversations_use_up_no_call(model: Model, messages: object, headers: dict[str, str]) -> None:
    assert ask(model, messages, **headers)["stop_reason"] == "end_turn"
    assert model.played == 0


def test_the_clients_own_texts_may_surround_the_prompt() -> None:
    reminder = {"type": "text", "text": "a reminder"}
    assert is_main({"messages": [{"role": "user", "content": [reminder, {"type": "text", "text": PROMPT}, reminder]}]})


def test_a_streamed_answer_says_what_a_plain_one_does(model: Model) -> None:
    _, text = post(model, "/v1/messages", {"messages": MAIN, "stream": True})
    events = [part.split("\n", 1) for part in text.strip().split("\n\n")]
    data = [json.loads(line.removeprefix("data: ")) for _, line in events]
    assert [head.removeprefix("event: ") for head, _ in events] == [one["type"] for one in data]
    assert [one["type"] for one in data] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert data[0]["message"]["content"] == []
    assert data[1]["content_block"] == {"type": "tool_use", "id": call_id(0), "name": "Bash", "input": {}}
    assert json.loads(data[2]["delta"]["partial_json"]) == CALLS[0][1]
    assert data[4]["delta"]["stop_reason"] == "tool_use"


def test_tokens_are_counted_without_a_call(model: Model) -> None:
    assert json.loads(post(model, "/v1/messages/count_tokens", {"messages": MAIN})[1]) == {"input_tokens": 1}
    assert model.played == 0


def test_what_is_not_json_is_refused_and_the_server_lives(model: Model) -> None:
    request = urllib.request.Request(f"{model.url}/v1/messages", b"{")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=5)
    assert refused.value.code == 400
    assert ask(model)["stop_reason"] == "tool_use"


def test_an_mcp_server_offers_its_tools(model: Model) -> None:
    def rpc(server: int, method: str, **params: str) -> Any:
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        return json.loads(post(model, f"/mcp/{server}", message)[1])["result"]

    assert rpc(0, "initialize", protocolVersion="2024-11-05")["protocolVersion"] == "2024-11-05"
    assert [tool["name"] for tool in rpc(0, "tools/list")["tools"]] == ["one", "two"]
    assert rpc(1, "tools/list")["tools"] == []
    assert rpc(0, "tools/call", name="one")["content"] == [{"type": "text", "text": "ok"}]
    assert post(model, "/mcp/0", {"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, "")
