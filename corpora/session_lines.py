"""Lines of Claude Code sessions in the making, in the shapes of the clients whose versions they carry."""

from __future__ import annotations

import gzip
import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5


class Session:
    """Lines of one session file, in the order in which they are added."""

    def __init__(self, name: str, cwd: str, version: str, mode: str | None = None, start: str = "2026-03-02T09:00:00"):
        self.name, self.cwd, self.version, self.mode = name, cwd, version, mode
        self.id = str(uuid5(NAMESPACE_URL, name))
        self.time = datetime.fromisoformat(start).replace(tzinfo=UTC)
        self.lines: list[dict[str, Any] | str] = []
        self.count = 0
        self.agent: str | None = None

    def prompt(self, text: str, mode: str | None = None) -> None:
        self.mode = mode or self.mode
        fields = {"permissionMode": self.mode} if self.mode else {}
        self.say("user", {"role": "user", "content": text}, **fields)

    def text(self, text: str) -> None:
        self.say("assistant", self._message([{"type": "text", "text": text}]))

    def use(self, tool: str, **given: Any) -> str:
        """The line of a call alone; its id."""
        self.count += 1
        digest = hashlib.sha256(f"{self.name}/{self.count}".encode()).hexdigest()
        key = f"toolu_01{digest[:22]}"
        self.say("assistant", self._message([{"type": "tool_use", "id": key, "name": tool, "input": given}]))
        return key

    def answer(self, key: str, text: Any, error: bool | None = None, **fields: Any) -> None:
        block = {"tool_use_id": key, "type": "tool_result", "content": text}
        if error is not None:
            block["is_error"] = error
        self.say("user", {"role": "user", "content": [block]}, **fields)

    def ran(self, tool: str, text: str = "done", **given: Any) -> None:
        self.answer(self.use(tool, **given), text, **self._decided("accept", "config"))

    def failed(self, tool: str, text: str, **given: Any) -> None:
        self.answer(self.use(tool, **given), text, error=True, **self._decided("accept", "config"))

    def approved(self, tool: str, text: str = "done", **given: Any) -> None:
        self.answer(self.use(tool, **given), text, **self._decided("accept", "user_temporary"))

    def refused(
        self, tool: str, text: str, kind: str | None, source: str = "config", reason: str = "rule", **given: Any
    ) -> None:
        """A call that did not run; `kind`, `source` and `reason` in the client's words, where its version has them."""
        fields = {"toolDenialKind": kind} if kind and self.version >= "2.1.205" else {}
        fields |= self._decided("reject", source, reason)
        self.answer(self.use(tool, **given), text, error=True, toolUseResult=f"Error: {text}", **fields)

    def state(self, kind: str, **fields: Any) -> None:
        self.lines.append({"type": kind, "sessionId": self.id, **fields})

    def write(self, folder: Path, file: str | None = None) -> Path:
        path = folder / (file or f"{self.id}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join((line if isinstance(line, str) else dump(line)) + "\n" for line in self.lines).encode()
        path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
        return path

    def _decided(self, decision: str, source: str, reason: str | None = None) -> dict[str, Any]:
        if self.version < "2.1.300":
            return {}
        inner = {"decision": decision, "source": source, **({"reasonType": reason} if reason else {})}
        return {"permissionDecision": inner}

    def _message(self, content: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": f"msg_{len(self.lines):06d}", "type": "message", "role": "assistant", "content": content}

    def say(self, kind: str, message: dict[str, Any], **fields: Any) -> None:
        self.time += timedelta(seconds=7)
        parent = next(
            (line["uuid"] for line in reversed(self.lines) if isinstance(line, dict) and "uuid" in line), None
        )
        self.lines.append(
            {
                "parentUuid": parent,
                "isSidechain": self.agent is not None,
                "userType": "external",
                "cwd": self.cwd,
                "sessionId": self.id,
                "version": self.version,
                "gitBranch": "main",
                **({"agentId": self.agent} if self.agent else {}),
                "type": kind,
                "message": message,
                "uuid": str(uuid5(NAMESPACE_URL, f"{self.name}/{len(self.lines)}")),
                "timestamp": self.time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                **fields,
            }
        )


def dump(line: dict[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)
