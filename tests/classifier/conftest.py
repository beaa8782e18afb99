from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from toolaudit.classifier import Question, Said
from toolaudit.model import AutoMode, ToolCall
from toolaudit.tools.shown import shown

Step = Callable[["Handler"], None]


def question(command: str, *said: str, rules: AutoMode | None = None) -> Question:
    """A Bash call in the session of the labelled calls."""
    call = ToolCall("Bash", {"command": command})
    return Question(call, shown(call), tuple(map(Said, said)), rules or AutoMode(), "/srv/app", "/home/dev")


class Handler(BaseHTTPRequestHandler):
    """Plays the next step of the server's script; the last one is played again and again."""

    server: Server

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        self.server.requests.append((self.path, json.loads(self.rfile.read(size))))
        at = min(len(self.server.requests), len(self.server.script)) - 1
        self.server.script[at](self)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing on stderr."""


class Server(ThreadingHTTPServer):
    """A loopback server that speaks both protocols as it is told to."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Step] = []
        self.requests: list[tuple[str, dict[str, Any]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: Any) -> None:
        """A client that gave up is no news."""


def text(content: str, *, stop: str = "end_turn") -> Step:
    """A whole answer of the model, in the protocol of the path that was asked."""

    def step(handler: Handler) -> None:
        if handler.path.endswith("/chat/completions"):
            finish = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}[stop]
            message = {"role": "assistant", "content": content, "refusal": None}
            body: dict[str, Any] = {
                "id": "c1",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
            }
        else:
            body = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": [{"type": "text", "text": content}],
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {"input_tokens": 100, "output_tokens": 5},
            }
        handler.send(200, json.dumps(body).encode())

    return step


def status(code: int, **headers: str) -> Step:
    """An error of the server's."""
    body = json.dumps({"type": "error", "error": {"type": "api_error", "message": "allow"}}).encode()
    return lambda handler: handler.send(code, body, **headers)


def raw(body: bytes) -> Step:
    """Whatever bytes, as a success."""
    return lambda handler: handler.send(200, body)


def trickle(handler: Handler) -> None:
    """An answer that never ends: a byte now and then, so that no single wait is long."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "100000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def hang_up(handler: Handler) -> None:
    """Closes the connection without a word."""
    handler.connection.close()


@pytest.fixture
def server() -> Iterator[Server]:
    serving = Server()
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield serving
    serving.shutdown()
    serving.server_close()
