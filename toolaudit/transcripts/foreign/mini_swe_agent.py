"""mini-swe-agent's trajectories: messages with one bash block each, or (newer) the commands as data beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.transcripts.foreign.document import beginning, begins, items, record, string, text_of, values
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran
from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.recorded import Grounds, RecordedCall

NAME = "mini-swe-agent"

_BLOCK = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
_RETURN_CODE = re.compile(r"\s*<returncode>(-?\d+)</returncode>")


def detects(head: Sequence[bytes]) -> bool:
    names = (b"mini-swe-agent", b"mswea_bash_command", b"<returncode>")
    start = beginning(head)
    return begins(head) and b'"role"' in start and any(name in start for name in names)


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    for item in values(lines, file):
        if isinstance(item, Problem):
            yield item
            continue
        document = record(item[1])
        recording = Recording(NAME, file)
        config = record(record(document.get("info")).get("config"))
        recording.cwd = string(record(config.get("environment")).get("cwd"))
        recording.version = string(record(document.get("info")).get("mini_version"))
        for place, message in enumerate(map(record, items(item[1]) or items(document.get("messages"))), 1):
            yield from _message(recording, message, place)
        yield from recording.rest()


def _message(recording: Recording, message: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    text = text_of(message.get("content"), 1 << 20)
    if message.get("role") != "assistant":
        key = string(message.get("tool_call_id")) or recording.first
        yield from recording.result(key, _finding(text, record(message.get("extra")).get("returncode")))
        return
    extra = record(message.get("extra"))
    actions = items(extra.get("actions"))
    for action in map(record, actions):
        id = string(action.get("tool_call_id"))
        yield from recording.call("bash", action, place, id=id, timestamp=extra.get("timestamp"))
    found = None if actions else _BLOCK.search(text)
    if found:
        yield from recording.call("bash", {"command": found[1].strip()}, place)


def _finding(text: str, code: object) -> Finding:
    if isinstance(code, int):
        return ran(code != 0, f"returncode {code}")
    found = _RETURN_CODE.match(text)
    if found is None:
        return ran(False, "a message after it", Grounds.HEURISTIC)
    return ran(found[1] != "0", f"returncode {found[1]}", Grounds.TEXT)
