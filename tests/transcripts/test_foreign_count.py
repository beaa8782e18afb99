"""The calls of other agents' recordings, counted a second time by counters that share nothing with the readers.

Each counter is the formats' notes in a line or two: where a call stands and what makes two of them one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.transcripts import FileRead, RecordedCall
from toolaudit.transcripts.reading import read

_ESCAPE = re.compile(r'\\(?:[\\"/bfnrt]|u[0-9a-fA-F]{4})|\\')


def _loads(text: str) -> Any:
    mended = _ESCAPE.sub(lambda found: found[0] if len(found[0]) > 1 else r"\\", text)
    try:
        return json.loads(mended, strict=False)
    except ValueError:
        return {}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            value = _loads(line)
            yield value if isinstance(value, dict) else {}


def codex(path: Path) -> set[str]:
    calls: set[str] = set()
    for line in _lines(path):
        payload = line.get("payload") or {}
        kind = str(payload.get("type"))
        if kind in ("function_call", "custom_tool_call", "web_search_call", "local_shell_call", "tool_call"):
            id = payload.get("call_id") or payload.get("id") or f"#{len(calls)}"
            files = re.findall(r"^\*\*\* (?:Add|Update|Delete) File: ", str(payload.get("input")), re.MULTILINE)
            calls |= {f"{id}/{n}" for n in range(1, len(files) + 1)} if len(files) > 1 else {id}
    return calls


def copilot(path: Path) -> set[str]:
    requests = [request for line in _lines(path) for request in (line.get("data") or {}).get("toolRequests") or []]
    starts = [line["data"] for line in _lines(path) if line.get("type") == "tool.execution_start"]
    return {each["toolCallId"] for each in [*requests, *starts]}


def gemini(path: Path) -> set[str]:
    messages = _loads(path.read_text(encoding="utf-8")).get("messages", [])
    return {call["id"] for message in messages for call in message.get("toolCalls") or []}


def pi(path: Path) -> set[str]:
    contents = [(line.get("message") or {}).get("content") for line in _lines(path)]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return {block["id"] for block in blocks if block.get("type") == "toolCall"}


def kimi(path: Path) -> set[str]:
    events = [line.get("event") or {} for line in _lines(path)]
    return {event["toolCallId"] for event in events if event.get("type") == "tool.call"}


def atif(path: Path) -> set[str]:
    calls: set[str] = set()
    for step in _loads(path.read_text(encoding="utf-8"))["steps"]:
        calls |= {call["tool_call_id"] for call in step.get("tool_calls") or []}
        if step["source"] == "agent" and '"keystrokes"' in step["message"]:
            calls |= {f"{step['step_id']}.{n}" for n in range(step["message"].count('"keystrokes"'))}
    return calls


def swe_agent(path: Path) -> set[str]:
    document = json.loads(path.read_text(encoding="utf-8"))
    steps = document.get("trajectory") or [each for each in document["history"] if each.get("action")]
    return {str(number) for number, step in enumerate(steps) if step["action"].strip()}


def mini_swe_agent(path: Path) -> set[str]:
    texts = [m["content"] for m in json.loads(path.read_text(encoding="utf-8")) if m["role"] == "assistant"]
    return {str(number) for number, text in enumerate(texts) if "```mswea_bash_command" in text}


def openhands(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    lists = [json.loads(text)] if text.startswith("[") else [json.loads(line)["history"] for line in text.splitlines()]
    silent = {None, "message", "finish", "think", "change_agent_state", "recall", "system"}
    events = [(n, k, e) for n, events in enumerate(lists) for k, e in enumerate(events)]
    return {f"{n}.{k}" for n, k, e in events if e.get("action") not in silent and e.get("source", "agent") == "agent"}


def opencode(path: Path) -> set[str]:
    values = list(_lines(path)) if path.suffix == ".jsonl" else [_loads(path.read_text(encoding="utf-8"))]
    parts = [value.get("part") or value for value in values]
    return {part["callID"] for part in parts if part.get("type") == "tool"}


COUNTERS: dict[str, tuple[str, Callable[[Path], set[str]]]] = {
    "codex/**/*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/agents/codex/*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/testdata/codex/*.jsonl": ("codex", codex),
    "copilot-cli/**/*.jsonl": ("copilot-cli", copilot),
    "multi-agent-fixtures/**/copilot/*.jsonl": ("copilot-cli", copilot),
    "gemini-cli/**/*.jsonl": ("gemini-cli", gemini),
    "multi-agent-fixtures/**/gemini/[lst]*[el].json": ("gemini-cli", gemini),
    "pi/**/*.jsonl": ("pi", pi),
    "multi-agent-fixtures/**/agents/pi/*.jsonl": ("pi", pi),
    "multi-agent-fixtures/**/kimi/*.jsonl": ("kimi", kimi),
    "multi-agent-fixtures/**/fixture-kimi-code.jsonl": ("kimi", kimi),
    "multi-agent-fixtures/**/fixture-opencode.jsonl": ("opencode", opencode),
    "multi-agent-fixtures/**/storage_v2/part/m_assistant_large_1/*.json": ("opencode", opencode),
    "atif/**/*.json": ("atif", atif),
    "swe-agent/**/*.traj": ("swe-agent", swe_agent),
    "mini-swe-agent/**/*.json": ("mini-swe-agent", mini_swe_agent),
    "openhands/**/*.json*": ("openhands", openhands),
}


@pytest.mark.parametrize("pattern", COUNTERS)
def test_every_call_of_another_agent_is_found_once(shared: Path, pattern: str) -> None:
    format, count = COUNTERS[pattern]
    paths = sorted((shared / "transcripts").glob(pattern))
    assert paths
    for path in paths:
        events = list(read([str(path)]))
        found = Counter(event.file for event in events if isinstance(event, RecordedCall))
        assert [event.format for event in events if isinstance(event, FileRead)] == [format], path
        assert found.total() == len(count(path)), path


def test_archives_that_are_damaged_are_named(shared: Path) -> None:
    """The evaluation logs at hand were changed byte by byte, so that no sample can be unpacked."""
    events = list(read([str(shared / "transcripts" / "inspect")]))
    archives = list((shared / "transcripts" / "inspect").rglob("*.eval"))
    assert [event.format for event in events if isinstance(event, FileRead)] == ["inspect"] * len(archives)
