from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from toolaudit.model import Mode, Policy, Scope
from toolaudit.replay import Replay, Settings
from toolaudit.reporting.replay import json as json_writer
from toolaudit.reporting.replay import ndjson, table
from toolaudit.settings import load, load_objects
from toolaudit.transcripts.reading import read
from toolaudit.transcripts.redaction import redact

CORPORA = Path(__file__).parents[2] / "corpora"


@pytest.fixture(autouse=True)
def _no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def corpora_replay(policy: str, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> Replay:
    monkeypatch.chdir(CORPORA.parent)
    folder = Path("corpora/policies") / policy / ".claude"
    local = folder / "settings.local.json"

    def load_policy(root: str, home: str) -> Policy:
        return load(project=folder / "settings.json", local=local if local.exists() else None, cwd=root, home=home)

    settings = Settings(load_policy, **fields)
    return Replay(read(["corpora/sessions"]), settings, load_policy("/work/project", "/home/user"))


@pytest.mark.parametrize(("policy", "width"), [("team", 80), ("cautious", 160)])
def test_the_table(policy: str, width: int, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    out = io.StringIO()
    replay = corpora_replay(policy, monkeypatch, recorded_modes=True)
    table.write(replay, out, str, title=policy, width=width)
    text = out.getvalue()
    assert text == snapshot
    assert not [line for line in text.splitlines() if line != line.rstrip()]


HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\r\n\u202e[bold red]x[/bold red] :smile: \x00é"


def hostile_replay(tmp_path: Path) -> Replay:
    """One session and one policy in which every text that a report may show is hostile."""
    block = {"type": "tool_use", "id": HOSTILE, "name": "Bash", "input": {"command": f"echo {HOSTILE}"}}
    other = {"type": "tool_use", "id": "b", "name": HOSTILE, "input": {HOSTILE: HOSTILE}}
    fields = {"sessionId": HOSTILE, "cwd": f"/srv/{HOSTILE}", "version": HOSTILE, "timestamp": HOSTILE}
    records = [
        {"type": "assistant", "message": {"content": [block, other]}, **fields},
        {"type": HOSTILE, "sessionId": "s"},
        {"type": "user", "permissionMode": HOSTILE, "message": {"content": HOSTILE}, "sessionId": "s"},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": HOSTILE, "content": "ok"}]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "b", "content": HOSTILE}]}},
    ]
    file = tmp_path / "evil\x1b[2J\u202e.jsonl"
    file.write_text("\n".join([*map(json.dumps, records), "{" + HOSTILE.replace("\n", "")]))
    rules = {
        "deny": [f"Bash(echo {HOSTILE[:10]}*)", HOSTILE, f"Write({HOSTILE})"],
        "allow": [f"Read({HOSTILE})"],
        HOSTILE: [],
    }

    def load_policy(root: str, home: str) -> Policy:
        return load_objects({Scope.PROJECT: {"permissions": rules, HOSTILE: 1}}, cwd=root, home=home)

    policy = load_policy("/srv", "/home/user")
    return Replay(read([str(file)]), Settings(load_policy, mode=Mode.DEFAULT), policy)


def write_table(replay: Replay, out: io.StringIO, clean: Callable[[str], str]) -> None:
    table.write(replay, out, clean, title=HOSTILE, width=100)


WRITERS = [
    pytest.param(write_table, id="table"),
    pytest.param(json_writer.write, id="json"),
    pytest.param(ndjson.write, id="ndjson"),
]


@pytest.mark.parametrize("write", WRITERS)
def test_hostile_text_never_reaches_the_terminal_raw(write: Callable[..., Any], tmp_path: Path) -> None:
    out = io.StringIO()
    write(hostile_replay(tmp_path), out, str)
    text = out.getvalue()
    assert "[bold red]x[/bold red] :smile:" in text, "markup is text"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_with_colour_only_colours_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_out, colour_out = io.StringIO(), io.StringIO()
    write_table(hostile_replay(tmp_path), plain_out, str)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    write_table(hostile_replay(tmp_path), colour_out, str)
    assert "\x1b[" in colour_out.getvalue()
    without = re.sub(r"\x1b\[[0-9;]*m", "", colour_out.getvalue())
    assert [line.rstrip() for line in without.splitlines()] == plain_out.getvalue().splitlines()


SECRET = "sk-ant-" + "a1B2" * 8


@pytest.mark.parametrize("write", WRITERS)
def test_redaction_reaches_every_text(write: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "home" / "dana"
    folder.mkdir(parents=True)
    given = {"command": f"KEY={SECRET} deploy", SECRET: [SECRET, {"x": SECRET}]}
    block = {"type": "tool_use", "id": "a", "name": "Bash", "input": given}
    record = {"type": "assistant", "cwd": "/home/dana/x", "sessionId": SECRET, "message": {"content": [block]}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "ok"}
    lines = [
        record,
        {"type": SECRET, "sessionId": "s"},
        {"type": "user", "sessionId": "s", "message": {"content": [result]}},
    ]
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def load_policy(root: str, home: str) -> Policy:
        rules = {"permissions": {"deny": [f"Bash(KEY={SECRET} *)"], "allow": ["Read(//home/dana/**)"]}}
        return load_objects({Scope.PROJECT: json.dumps(rules)}, cwd=root, home=home)

    replay = Replay(read([str(folder)]), Settings(load_policy), load_policy("/home/dana", "/home/dana"))
    out = io.StringIO()
    write(replay, out, redact)
    assert SECRET not in out.getvalue()
    assert "dana" not in out.getvalue()
    assert "deploy" in out.getvalue()


def test_the_json_report_keeps_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    json_writer.write(corpora_replay("team", monkeypatch), out, str)
    report = json.loads(out.getvalue())
    assert report["schema"] == 1
    assert sorted(report) == sorted(
        """
        type schema toolaudit client markers calls copies files lines sessions sidechain_calls modes_recorded formats
        decisions stages tools modes outcomes grounds truths changes now_allowed now_denied now_asked
        classified classifier rules unused_rules without_counterpart
        ignored_rules too_complex findings policy_findings problems complete
        """.split()
    )
    group = report["now_asked"]["groups"][0]
    assert sorted(group) == sorted(
        "calls tool subject outcome decision stage why rule behavior source mode file line".split()
    )
