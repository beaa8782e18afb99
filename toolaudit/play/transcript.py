"""What happened, in the lines that Claude Code writes of its sessions (documents on transcripts, 1), so that `replay`
reads it back. A sub-agent's lines go to a file of their own beside the session's, as the client's do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from toolaudit import CLIENT_VERSION
from toolaudit.model import Behavior, Mode, ReasonType, ToolCall
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.tools.messages import Message

_VERSION = CLIENT_VERSION


class Transcript:
    """One session file, written line by line."""

    def __init__(self, path: Path, cwd: str, session: str | None = None, agent: str = "") -> None:
        self._path = path
        self._cwd = cwd
        self._agent = agent
        self._parent: str | None = None
        self._messages = 0
        self.session = session or str(uuid4())
        path.parent.mkdir(parents=True, exist_ok=True)
        self._out = path.open("x", encoding="utf-8")

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def of_agent(self, agent: str) -> Transcript:
        """The transcript of a sub-agent, where the client would put it."""
        folder = self._path.with_suffix("") if not self._agent else self._path.parent.parent
        return Transcript(folder / "subagents" / f"agent-{agent}.jsonl", self._cwd, self.session, agent)

    def prompt(self, text: str, mode: Mode) -> None:
        self._line("user", {"role": "user", "content": text}, permissionMode=str(mode))

    def mode(self, mode: Mode) -> None:
        """The mode that holds from here on."""
        self._write({"type": "permission-mode", "permissionMode": str(mode), "sessionId": self.session})

    def calls(self, calls: Sequence[ToolCall]) -> None:
        """One message of the model: a line a call."""
        self._messages += 1
        id = f"msg_{self.session[:8]}{self._messages:06d}"
        for call in calls:
            block = {"type": "tool_use", "id": call.id, "name": call.tool, "input": dict(call.input)}
            message = {"id": id, "type": "message", "role": "assistant", "model": "<script>", "content": [block]}
            self._line("assistant", message)

    def result(self, outcome: CallOutcome) -> None:
        """What became of one call, and what follows it in the conversation."""
        block = dict(outcome.block or {"type": "tool_result", "tool_use_id": outcome.call.id, "content": ""})
        fields: dict[str, Any] = {}
        decided = _decided(outcome)
        if decided is not None:
            fields["permissionDecision"] = decided
        if decided is not None and decided["decision"] == "reject":
            fields["toolDenialKind"] = "user-rejected" if decided["source"].startswith("user_") else "permission-rule"
            fields["toolUseResult"] = f"Error: {block.get('content')}"
        self._line("user", {"role": "user", "content": [block]}, **fields)
        for message in outcome.messages:
            self._message(message)

    def _message(self, message: Message) -> None:
        if message.kind in ("user", "assistant"):
            self._line(message.kind, {"role": message.kind, "content": message.content}, isMeta=True)
        else:
            told = {"type": message.origin or message.kind, "content": message.content}
            self._line("attachment", None, attachment=told)

    def _line(self, kind: str, message: dict[str, Any] | None, **fields: Any) -> None:
        uuid = str(uuid4())
        line = {
            "parentUuid": self._parent,
            "isSidechain": bool(self._agent),
            "userType": "external",
            "cwd": self._cwd,
            "sessionId": self.session,
            "version": _VERSION,
            "gitBranch": "",
            **({"agentId": self._agent} if self._agent else {}),
            "type": kind,
            **({"message": message} if message is not None else {}),
            "uuid": uuid,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **fields,
        }
        self._parent = uuid
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        self._out.write(json.dumps(line, separators=(",", ":"), default=str) + "\n")
        with suppress(ValueError):
            self._out.flush()


def _decided(outcome: CallOutcome) -> dict[str, str] | None:
    """Who decided, in the client's words; None where the call never came to a decision."""
    decision, answer = outcome.decision, outcome.answer
    if decision is None:
        return None
    if outcome.executed:
        by_person = answer is not None and answer.by == "person"
        return {"decision": "accept", "source": "user_temporary" if by_person else "config"}
    if outcome.behavior is Behavior.INVALID:
        return None
    if answer is not None and answer.by != "nobody":
        return {"decision": "reject", "source": "hook" if answer.by == "hook" else "user_reject"}
    if decision.behavior is Behavior.ASK:
        return {"decision": "reject", "source": "config"}
    reason = decision.reason_type or ReasonType.OTHER
    source = "hook" if reason is ReasonType.HOOK else "config"
    return {"decision": "reject", "source": source, "reasonType": str(reason)}
