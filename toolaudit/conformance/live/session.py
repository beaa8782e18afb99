"""One client process over its standard streams: the calls are the model's, the prompts are answered "deny"."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from toolaudit.conformance.live import model, programs, world
from toolaudit.conformance.live.model import Call, Model, call_id
from toolaudit.conformance.live.world import World

FLAGS = (
    "--print",
    "--verbose",
    *("--input-format", "stream-json"),
    *("--output-format", "stream-json"),
    *("--permission-prompt-tool", "stdio"),
)
DENIAL = {"behavior": "deny", "message": "denied by the measurement"}
STDERR_CHARS_MAX = 300


@dataclass(slots=True)
class Answer:
    """What the client said of one call; each part is None where it said nothing of the kind."""

    prompt: Mapping[str, Any] | None = None
    """The request for approval."""
    denied: Mapping[str, Any] | None = None
    """The notice that the call was refused."""
    result: str | None = None
    """The call's result, as the model would see it."""
    is_error: bool = False

    @property
    def is_given(self) -> bool:
        return self.prompt is not None or self.denied is not None or self.result is not None


@dataclass(slots=True)
class Transcript:
    """What one client process said."""

    answers: list[Answer]
    """One a call that was played, in order."""
    version: str | None = None
    complaint: str = ""
    """The start of the client's standard error, or why the process was stopped."""


def hold(client: Path, setting: World, calls: Sequence[Call], seconds: float) -> Transcript:
    """Starts the client in a freshly built world and has it decide `calls`.

    The process is stopped when it answered nothing for `seconds`, and at the end of its turn.
    Raises OSError where the world can't be built or the client can't be started.
    """
    with Model(calls, list(setting.mcp.values())) as served:
        launch = world.build(setting, served.url)
        stderr = world.ROOT / "stderr"
        with stderr.open("wb") as errors:
            process = subprocess.Popen(
                [str(client), *FLAGS, *launch.arguments],
                cwd=launch.directory,
                env={"PATH": programs.search_path(client), **launch.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        try:
            listener = _Listener(process, len(calls))
            stopped = listener.listen(seconds)
        finally:
            process.kill()
            process.wait()
    complaint = stopped or stderr.read_text(encoding="utf-8", errors="replace")[:STDERR_CHARS_MAX].strip()
    return Transcript(listener.answers[: served.played], listener.version, complaint)


@dataclass(slots=True)
class _Listener:
    process: subprocess.Popen[bytes]
    calls: int
    answers: list[Answer] = field(init=False)
    version: str | None = None
    _patience: float = 0.0
    """When to give up, by the monotonic clock; every answer puts it off, other talk does not."""
    _heard_answer: bool = False

    def __post_init__(self) -> None:
        self.answers = [Answer() for _ in range(self.calls)]

    def listen(self, seconds: float) -> str | None:
        """Hears the process out; returns why it was given up, or None where its turn ended."""
        lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self.process.stdout, lines), daemon=True).start()
        self._send({"type": "user", "message": {"role": "user", "content": model.PROMPT}})
        self._patience = time.monotonic() + seconds
        while True:
            try:
                line = lines.get(timeout=max(0.0, self._patience - time.monotonic()))
            except queue.Empty:
                return f"it answered nothing for {seconds:g} seconds"
            if line is None or self._hear(line):
                return None
            if self._heard_answer:
                self._heard_answer = False
                self._patience = time.monotonic() + seconds

    def _hear(self, line: bytes) -> bool:
        """Takes one line in; tells whether it ends the turn. What is not JSON is a log line and says nothing."""
        try:
            message = json.loads(line)
        except ValueError:
            return False
        match message:
            case {"type": "control_request", "request": request, "request_id": number}:
                reply = self._approval(request) if request.get("subtype") == "can_use_tool" else {}
                response = {"subtype": "success", "request_id": number, "response": reply}
                self._send({"type": "control_response", "response": response})
            case {"type": "system", "subtype": "init"}:
                self.version = message.get("claude_code_version")
            case {"type": "system", "subtype": "permission_denied", "tool_use_id": tool_use}:
                self._of(tool_use).denied = message
            case {"type": "user", "message": {"content": [*blocks]}}:
                for block in blocks:
                    if block.get("type") == "tool_result":
                        answer = self._of(block["tool_use_id"])
                        answer.result, answer.is_error = _text(block.get("content")), bool(block.get("is_error"))
            case {"type": "result"}:
                return True
        return False

    def _approval(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        self._of(request.get("tool_use_id")).prompt = request
        return DENIAL

    def _of(self, tool_use: object) -> Answer:
        """The answer to a scripted call; what a sub-agent's calls get is of no interest."""
        for number, answer in enumerate(self.answers):
            if tool_use == call_id(number):
                self._heard_answer = True
                return answer
        return Answer()

    def _send(self, message: Mapping[str, Any]) -> None:
        stream = self.process.stdin
        if stream is None:
            return
        try:
            stream.write(json.dumps(message).encode() + b"\n")
            stream.flush()
        except BrokenPipeError:
            pass  # it ended; its output says what it had to say


def _read(stream: IO[bytes] | None, lines: queue.SimpleQueue[bytes | None]) -> None:
    for line in stream or ():
        lines.put(line)
    lines.put(None)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
