"""The calls of other agents' recordings, counted a second time by counters that share nothing with the readers.

Each counter is the formats' notes in a line or two: where a call stands and what makes two of them one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.transcripts import FileRead, Problem, RecordedCall, Trouble
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
        payload = line.get("payload") or line
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
    return {call.get("id", str(n)) for n, each in enumerate(messages) for call in each.get("toolCalls") or []}


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


def messages(path: Path) -> set[str]:
    """Anthropic's blocks and OpenAI's calls, wherever they are: nothing else in these files has these keys."""
    text = path.read_text(encoding="utf-8")
    values = list(_lines(path)) if path.suffix == ".jsonl" else [_loads(text)]
    blocks = [block for value in values for block in _objects(value) if block.get("type") == "tool_use"]
    calls = [call for value in values for each in _objects(value) for call in each.get("tool_calls") or []]
    return {str(number) for number, _ in enumerate([*blocks, *calls])}


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inner)
    if isinstance(value, dict):
        yield value


def claude(path: Path) -> set[str]:
    blocks = [block for line in _lines(path) for block in _objects(line.get("message"))]
    return {block.get("id", str(n)) for n, block in enumerate(blocks) if block.get("type") == "tool_use"}


def droid(path: Path) -> set[str]:
    kinds = ("tool_use", "tool_call")
    return {
        str(n) for n, each in enumerate(e for line in _lines(path) for e in _objects(line) if e.get("type") in kinds)
    }


def qwen(path: Path) -> set[str]:
    return {str(n) for n in range(path.read_text(encoding="utf-8").count('"functionCall"'))}


def antigravity(path: Path) -> set[str]:
    return {f"{n}.{k}" for n, line in enumerate(_lines(path)) for k in range(len(line.get("tool_calls") or []))}


def claude_replay(path: Path) -> set[str]:
    return {str(n) for n in range(path.read_text(encoding="utf-8").count('"tool_call":'))}


COUNTERS: dict[str, tuple[str, Callable[[Path], set[str]]]] = {
    "codex/**/*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/agents/codex/*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/testdata/codex/*.jsonl": ("codex", codex),
    "copilot-cli/**/*.jsonl": ("copilot-cli", copilot),
    "multi-agent-fixtures/**/copilot/*.jsonl": ("copilot-cli", copilot),
    "gemini-cli/**/*.jsonl": ("gemini-cli", gemini),
    "multi-agent-fixtures/**/gemini/*.json": ("gemini-cli", gemini),
    "pi/**/*.jsonl": ("pi", pi),
    "multi-agent-fixtures/**/agents/pi/*.jsonl": ("pi", pi),
    "multi-agent-fixtures/**/kimi/*.jsonl": ("kimi", kimi),
    "multi-agent-fixtures/**/fixture-kimi-code.jsonl": ("kimi", kimi),
    "multi-agent-fixtures/**/fixture-opencode.jsonl": ("opencode", opencode),
    "multi-agent-fixtures/**/opencode/**/*.json": ("opencode", opencode),
    "multi-agent-fixtures/**/Fixtures/session_[bt]*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/Fixtures/codex_*.jsonl": ("codex", codex),
    "multi-agent-fixtures/**/openclaw/*.jsonl": ("pi", pi),
    "multi-agent-fixtures/**/cursor/**/*.jsonl": ("messages", messages),
    "multi-agent-fixtures/**/hermes/*.json": ("messages", messages),
    "multi-agent-fixtures/**/grok/**/*.jsonl": ("messages", messages),
    "multi-agent-fixtures/**/droid/*.jsonl": ("droid", droid),
    "multi-agent-fixtures/**/qwen/*.jsonl": ("qwen", qwen),
    "multi-agent-fixtures/**/antigravity/*.jsonl": ("antigravity", antigravity),
    "multi-agent-fixtures/**/claude/**/*.jsonl": ("claude-code", claude),
    "multi-agent-fixtures/**/demo-session.jsonl": ("claude-replay", claude_replay),
    "atif/**/*.json": ("atif", atif),
    "swe-agent/**/*.traj": ("swe-agent", swe_agent),
    "mini-swe-agent/**/*.json": ("mini-swe-agent", mini_swe_agent),
    "openhands/**/*.json*": ("openhands", openhands),
}


NO_SESSIONS = {
    "multi-agent-fixtures/es617_claude-replay/test/fixture-paced.jsonl": "talk without a call, in no format's words",
    "multi-agent-fixtures/**/Fixtures/session_simple.jsonl": "talk without a call, in no format's words",
    "multi-agent-fixtures/**/gemini/schema_drift.json": "talk without a call, in no format's words",
    "multi-agent-fixtures/**/m_user_small/001.json": "a stored text that names no session",
    "multi-agent-fixtures/**/storage_v2/migration": "the number of a storage layout",
    "multi-agent-fixtures/**/*.meta.json": "what is said of a sub-agent beside its session",
    "gemini-cli/**/metadata.json": "what is said of a checkpoint beside its session",
}
"""Files at hand that are no recordings of calls -> what they are instead."""


def _files(root: Path, patterns: Iterable[str]) -> set[Path]:
    return {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}


@pytest.mark.parametrize("pattern", COUNTERS)
def test_every_call_of_another_agent_is_found_once(shared: Path, pattern: str) -> None:
    format, count = COUNTERS[pattern]
    root = shared / "transcripts"
    paths = sorted(_files(root, [pattern]) - _files(root, NO_SESSIONS))
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


@pytest.mark.parametrize("pattern", NO_SESSIONS)
def test_what_is_no_session_is_named(shared: Path, pattern: str) -> None:
    paths = sorted((shared / "transcripts").glob(pattern))
    assert paths
    for path in paths:
        events = list(read([str(path)]))
        assert [event.trouble for event in events if isinstance(event, Problem)] == [Trouble.UNRECOGNISED], path
        assert not [event for event in events if isinstance(event, RecordedCall | FileRead)], path


def test_no_file_at_hand_is_left_out(shared: Path) -> None:
    """Every file is counted by one of these counters, by the ones for Claude Code and Inspect, or no session."""
    root = shared / "transcripts"
    elsewhere = ["claude-code/**/*", "inspect/**/*", "SOURCES.md"]
    every = {path for path in root.rglob("*") if path.is_file()}
    assert not every - _files(root, [*COUNTERS, *NO_SESSIONS, *elsewhere])
