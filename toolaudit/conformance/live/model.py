"""The loopback stand-in for the Messages API: it plays scripted calls, and offers scripted MCP servers.

A request of the main conversation gets the next call of the script, one call a reply, so that each call is decided
before the next is made. Other requests (sub-agents, titles, token counts) get a harmless text, and use up no call.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import Any

PROMPT = "Play the script."
"""The user's message: the main conversation is the one that begins with it."""
AGENT_HEADER = "x-claude-code-agent-id"
"""Measured: requests of sub-agents carry it."""
BODY_BYTES_MAX = 64 << 20
USAGE = {"input_tokens": 1, "output_tokens": 1}

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its input."""


def call_id(number: int) -> str:
    """The id of the scripted call `number`, counted from 0."""
    return f"toolu_{number:06d}"


class Model:
    """Serves `calls`, and at `/mcp/N` the N-th of `servers` (the tools of each), on a loopback port of its own.

    Used as a context manager; `url` is valid inside.
    """

    def __init__(self, calls: Sequence[Call], servers: Sequence[Sequence[str]] = ()) -> None:
        self._calls = calls
        self._servers = servers
        self._lock = threading.Lock()
        self._messages = 0
        self.played = 0
        """How many calls were handed out."""

    def __enter__(self) -> Model:
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply(self, request: Mapping[str, Any], by_agent: bool) -> dict[str, Any]:
        """The message that answers a request of the Messages API."""
        block: dict[str, Any] = {"type": "text", "text": "done"}
        with self._lock:
            if not by_agent and is_main(request) and self.played < len(self._calls):
                tool, given = self._calls[self.played]
                block = {"type": "tool_use", "id": call_id(self.played), "name": tool, "input": given}
                self.played += 1
            self._messages += 1
            number = self._messages
        return {
            "id": f"msg_{number:06d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": USAGE,
        }

    def mcp_reply(self, server: int, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """The answer of an MCP server to a JSON-RPC message; None: it was a notification."""
        if "id" not in message:
            return None
        match message.get("method"):
            case "initialize":
                version = (message.get("params") or {}).get("protocolVersion", "2025-06-18")
                about = {"name": "stand-in", "version": "1"}
                result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
            case "tools/list":
                schema = {"type": "object"}
                tools = [{"name": name, "description": name, "inputSchema": schema} for name in self._servers[server]]
                result = {"tools": tools}
            case "tools/call":
                result = {"content": [{"type": "text", "text": "ok"}]}
            case _:
                result = {}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def is_main(request: Mapping[str, Any]) -> bool:
    """Whether the request's conversation begins with PROMPT; the client may put texts of its own around it."""
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        return False
    content = messages[0].get("content")
    if isinstance(content, str):
        return content == PROMPT
    return any(block.get("type") == "text" and block.get("text") == PROMPT for block in content or ())


def events(message: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A message as the server-sent events of a streamed answer: (event, data) pairs."""
    yield "message_start", {"message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": stop, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


class _Server(ThreadingMixIn, TCPServer):
    # TCPServer, not HTTPServer: that one looks its own name up, which takes long without a network.
    allow_reuse_address = True
    daemon_threads = True


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Keeps requests off the standard error."""

        def do_HEAD(self) -> None:
            self._answer(200, {"data": []})

        def do_GET(self) -> None:
            # An MCP client asks for a stream of notifications; there are none.
            self._answer(405 if self.path.startswith("/mcp/") else 200, {"data": []})

        def do_DELETE(self) -> None:
            self._answer(200, {})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            if length > BODY_BYTES_MAX:
                self.close_connection = True
                return self._answer(413, {})
            try:
                request = json.loads(self.rfile.read(length))
            except ValueError:
                return self._answer(400, {"type": "error", "error": {"type": "invalid_request_error", "message": ""}})
            if self.path.startswith("/mcp/"):
                reply = model.mcp_reply(int(self.path.removeprefix("/mcp/")), request)
                return self._answer(202 if reply is None else 200, reply)
            if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
                return self._answer(200, {"input_tokens": 1})
            message = model.reply(request, AGENT_HEADER in self.headers)
            if not request.get("stream"):
                return self._answer(200, message)
            return self._stream(message)

        def _answer(self, status: int, value: object) -> None:
            body = b"" if value is None else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _stream(self, message: Mapping[str, Any]) -> None:
            self.close_connection = True
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            for event, data in events(message):
                text = f"event: {event}\ndata: {json.dumps({'type': event, **data})}\n\n"
                self.wfile.write(text.encode())

    return Handler
