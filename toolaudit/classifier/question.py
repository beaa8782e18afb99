"""What a classifier is asked: a call, and the part of the session that it may see."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from toolaudit.model import AutoMode, ToolCall
from toolaudit.structs import Struct


class Said(Struct):
    """What the user wrote."""

    text: str


class Did(Struct):
    """A call that the session made, with what its tool shows of it."""

    call: ToolCall
    shown: str


class Told(Struct):
    """What a PostToolUse hook of the configuration tells the classifier (documents, 9.5.2)."""

    text: str


Entry = Said | Did | Told

NO_RULES: Final = AutoMode()


class Question(Struct):
    """One call to classify. No assistant's prose and no tool's result is part of it (documents, 9.5.2)."""

    call: ToolCall
    shown: str
    """What the call's tool shows the classifier of it; never empty."""
    conversation: tuple[Entry, ...] = ()
    """Oldest first, without the call itself."""
    rules: AutoMode = NO_RULES
    cwd: str = "/work/project"
    home: str = "/home/user"
    directories: tuple[str, ...] = ()
    """Working directories besides `cwd`."""

    def record(self) -> Mapping[str, Any]:
        """The question as JSON data: everything that a verdict may depend on."""
        rules = self.rules
        return {
            "tool": self.call.tool,
            "shown": self.shown,
            "conversation": [_entry(entry) for entry in self.conversation],
            "environment": list(rules.environment),
            "allow": list(rules.allow),
            "soft_deny": list(rules.soft_deny),
            "hard_deny": list(rules.hard_deny),
            "cwd": self.cwd,
            "home": self.home,
            "directories": list(self.directories),
        }

    @property
    def text(self) -> str:
        """The record as one line of JSON, always spelled the same."""
        return json.dumps(self.record(), sort_keys=True, ensure_ascii=True, separators=(",", ":"))

    @property
    def key(self) -> str:
        """A hash of the question's content: equal for equal questions, whoever asks them with which words."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def _entry(entry: Entry) -> Mapping[str, str]:
    match entry:
        case Said(text):
            return {"user": text}
        case Told(text):
            return {"hook": text}
        case Did(call, shown):
            return {"tool": call.tool, "shown": shown}
