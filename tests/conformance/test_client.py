"""The harness against a real client: what it measures is what was measured before."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from toolaudit.conformance import Case, read_cases
from toolaudit.conformance.live import Client, measure, read_records

SETS = ("dev", "special", "sandbox")
KINDS = (
    lambda one: one.hooks,
    lambda one: one.mcp,
    lambda one: one.links,
    lambda one: not one.trusted,
    lambda one: "managed" in one.settings,
    *(lambda one, mode=mode: one.mode == mode for mode in ("auto", "plan", "dontAsk", "acceptEdits")),
)
"""Two calls of each in one world: whole processes would ask many more."""


def sample(cases: list[Case]) -> list[Case]:
    chance = random.Random(1)
    chosen: dict[str, Case] = {}
    for kind in KINDS:
        some = [one for one in cases if kind(one) and one.tool in ("Bash", "WebFetch", "Read")]
        for one in chance.sample(some, min(2, len(some))):
            chosen[one.id] = one
    return list(chosen.values())


@pytest.mark.parametrize("name", SETS)
def test_a_recording_is_reproduced(name: str, real: Client, shared: Path) -> None:
    with (shared / f"conformance/{name}.cases.jsonl").open() as lines:
        cases = [one for one in read_cases(lines) if isinstance(one, Case)]
    recorded = read_records(shared / f"conformance/{name}.decisions.jsonl")
    versions = {record.client for record in recorded.values()}
    if real.version not in versions:
        pytest.skip(f"the recording is of {versions}, the client is {real.version}")
    complaints: list[str] = []
    found = [one for batch in measure(real, sample(cases), jobs=2, complain=complaints.append) for one in batch]
    assert complaints == []
    assert [json.loads(one.line()) for one in found] == [json.loads(recorded[one.id].line()) for one in found]


HOOK = [{"matcher": "*", "hooks": [{"type": "command", "command": "touch {cwd}/made"}]}]
HOOKS = {"hooks": {"PreToolUse": HOOK, "SessionStart": HOOK}}
STATED = [{"event": "PreToolUse", "matcher": "Bash", "decision": "allow"}]
SERVER = {"mcpServers": {"s": {"command": "touch", "args": ["{cwd}/made"]}}}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"hooks": STATED},
        {"settings": {"user": {"env": {"SHELL": "/bin/bash", "CLAUDE_CODE_SHELL": "/bin/bash"}}}},
        {"settings": {"user": HOOKS}},
        {"settings": {"user": HOOKS}, "hooks": STATED},
        {"files": {".claude/settings.json": json.dumps(HOOKS)}},
        {"settings": {"user": {"apiKeyHelper": "touch {cwd}/made"}}},
        {"settings": {"user": {"enableAllProjectMcpServers": True}}, "files": {".mcp.json": json.dumps(SERVER)}},
    ],
    ids=["command", "stated hook", "other shell", "hooks", "both hooks", "hooks in a file", "helper", "server"],
)
def test_nothing_that_is_named_runs(real: Client, fields: dict[str, object]) -> None:
    """It would make the file that the second call reads."""
    calls = (("Bash", {"command": "touch {cwd}/made"}), ("Read", {"file_path": "{cwd}/made"}))
    lines = [{"id": tool, "tool": tool, "input": given, "mode": "bypassPermissions", **fields} for tool, given in calls]
    cases = [one for one in read_cases(map(json.dumps, lines)) if isinstance(one, Case)]
    found = {one.id: one.decision for batch in measure(real, cases, complain=print) for one in batch}
    assert found == {"Bash": "allow", "Read": "invalid"}
