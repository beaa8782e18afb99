"""What a client gets to see and do in a chamber; a fake one tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from making import case

from toolaudit.conformance.cases import CWD, HOME
from toolaudit.conformance.live import Client, isolation
from toolaudit.conformance.live.chamber import Chambers, ChambersClosed
from toolaudit.conformance.live.world import World

SECRET = "a secret of the user"


@pytest.fixture
def chambers(fake: Client) -> Iterator[Chambers]:
    with Chambers(fake.path, fake.seconds) as made:
        yield made


def look(chambers: Chambers, given: dict[str, object] | None = None, **fields: Any) -> dict[str, Any]:
    transcript = chambers.ask(World.of(case("a", **fields)), [("Look", given or {})])
    assert transcript.answers, transcript.complaint
    assert transcript.answers[0].result is not None
    seen: dict[str, Any] = json.loads(transcript.answers[0].result)
    return seen


def test_the_user_is_not_there(
    chambers: Chambers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fake_program: Path
) -> None:
    (tmp_path / "secret").write_text(SECRET)
    account = Path("~").expanduser()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("HTTPS_PROXY", SECRET)
    seen = look(
        chambers, {"list": [str(account), "/tmp", str(fake_program.parent)], "read": [str(tmp_path / "secret")]}
    )
    assert SECRET not in json.dumps(seen)
    assert seen["environment"]["HOME"] == HOME
    assert seen["listed"][str(fake_program.parent)] == [fake_program.name]
    assert {".ssh", ".claude", ".claude.json", ".bashrc"}.isdisjoint(seen["listed"][str(account)])
    assert "probe" in seen["listed"]["/tmp"]


def test_nothing_of_the_machine_can_be_changed(chambers: Chambers) -> None:
    places = ["/", "/etc", "/usr", "/var", "/opt", "/proc/sys", "/sys", "/dev", str(Path(__file__).parent)]
    own = [CWD, HOME, "/tmp"]
    assert look(chambers, {"write": [*places, *own]})["writable"] == own


def test_there_is_loopback_only_and_no_process_of_others(chambers: Chambers) -> None:
    seen = look(chambers)
    assert "lo" in seen["interfaces"]
    assert not {name for name in seen["interfaces"] if name.startswith(("e", "w"))}
    assert seen["processes"] <= 3


def test_nothing_is_left_of_an_earlier_chamber(chambers: Chambers) -> None:
    assert look(chambers, {"write": [CWD, "/tmp", str(isolation.MANAGED)]})["writable"]
    left = look(chambers, {"list": [CWD, "/tmp", str(isolation.MANAGED)]})["listed"]
    assert left == {CWD: [".git"], "/tmp": left["/tmp"], str(isolation.MANAGED): []}
    assert "written-by-a-test" not in left["/tmp"]


def test_no_shell_runs_anything(chambers: Chambers) -> None:
    assert look(chambers, {"shell": ["echo ran; exit 3"]})["shell"] == [[0, ""]]


def test_no_other_program_runs(chambers: Chambers) -> None:
    files = {"script": "#!/bin/sh\nexit 0"}
    programs = ["/bin/cat", "/usr/bin/env", f"{CWD}/script"]
    assert look(chambers, {"start": programs}, files=files)["started"] == []


def test_a_case_cannot_stand_in_for_the_stub(chambers: Chambers) -> None:
    transcript = chambers.ask(World.of(case("a", files={"../bin/bash": "#!/bin/sh\necho ran"})), [("Look", {})])
    assert not transcript.answers
    assert look(chambers, env={"CLAUDE_CODE_SHELL": "/x"})["environment"]["CLAUDE_CODE_SHELL"] == "/tmp/probe/bin/bash"


def test_a_world_is_built(chambers: Chambers) -> None:
    scopes = {name: {"env": {"A": name}} for name in ("user", "project", "local", "managed", "flag")}
    places = {
        "user": f"{HOME}/.claude/settings.json",
        "project": f"{CWD}/.claude/settings.json",
        "local": f"{CWD}/.claude/settings.local.json",
        "managed": str(isolation.MANAGED / "managed-settings.json"),
    }
    fields: dict[str, Any] = {
        "settings": {**scopes, "cli": {"permissions": {"allow": ["Bash(a b)", "Read"], "deny": ["Edit"]}}},
        "mode": "plan",
        "files": {"sub/a.txt": "in {cwd}", "{home}/b": "x"},
        "links": {"l": "{home}/b"},
        "start": "{cwd}/sub",
        "env": {"EXTRA": "1"},
        "args": ["--add-dir", "{home}/more"],
    }
    seen = look(chambers, {"read": [*places.values(), f"{CWD}/sub/a.txt"], "links": [f"{CWD}/l"]}, **fields)
    arguments = seen["arguments"]
    for scope, place in places.items():
        assert json.loads(seen["files"][place]) == scopes[scope]
    assert seen["files"][f"{CWD}/sub/a.txt"] == f"in {CWD}"
    assert seen["links"] == {f"{CWD}/l": f"{HOME}/b"}
    assert seen["directory"] == f"{CWD}/sub"
    assert seen["environment"]["EXTRA"] == "1"
    assert " ".join(arguments).endswith(
        f"--add-dir {HOME}/more --allowedTools Bash(a b) Read --disallowedTools Edit "
        "--settings /tmp/probe/flag.json --permission-mode plan"
    )


@pytest.mark.parametrize("trusted", [True, False])
def test_trust_is_stated_or_not(chambers: Chambers, trusted: bool) -> None:
    text = look(chambers, {"read": [f"{HOME}/.claude.json"]}, trusted=trusted)["files"][f"{HOME}/.claude.json"]
    assert text == (json.dumps({"projects": {CWD: {"hasTrustDialogAccepted": True}}}) if trusted else None)


@pytest.mark.parametrize("git", [True, False])
def test_a_repository_or_none(chambers: Chambers, git: bool) -> None:
    assert (".git" in look(chambers, {"list": [CWD]}, git=git)["listed"][CWD]) is git


def test_stated_hooks_become_the_only_command_that_a_shell_knows(chambers: Chambers) -> None:
    stated = [
        {"event": "PreToolUse", "matcher": "Bash", "if": "Bash(git *)", "decision": "ask"},
        {"event": "PreToolUse", "matcher": "", "exit_code": 2},
        {"event": "PostToolUse", "json": {"continue": False}},
    ]
    own = {"PreToolUse": [{"matcher": "Read", "hooks": [{"type": "command", "command": "echo ran"}]}]}
    shells = ["stated-verdict 0", "stated-verdict 1", "stated-verdict 2", "echo ran", "stated-verdict 0; echo ran"]
    given = {"read": ["/tmp/probe/flag.json"], "shell": shells}
    seen = look(chambers, given, hooks=stated, settings={"flag": {"model": "m", "hooks": own}})
    assert json.loads(seen["files"]["/tmp/probe/flag.json"]) == {
        "model": "m",
        "hooks": {
            "PreToolUse": [
                *own["PreToolUse"],
                {
                    "matcher": "Bash",
                    "hooks": [{"type": "command", "command": "stated-verdict 0", "if": "Bash(git *)"}],
                },
                {"matcher": "", "hooks": [{"type": "command", "command": "stated-verdict 1"}]},
            ],
            "PostToolUse": [{"matcher": "", "hooks": [{"type": "command", "command": "stated-verdict 2"}]}],
        },
    }
    first, second, third, *others = seen["shell"]
    verdict = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}
    assert (first[0], json.loads(first[1])) == (0, verdict)
    assert second == [2, "\n"]
    assert (third[0], json.loads(third[1])["continue"]) == (0, False)
    assert others == [[0, ""], [0, ""]]


def test_mcp_servers_are_on_loopback(chambers: Chambers) -> None:
    path = "/tmp/probe/mcp.json"
    seen = look(chambers, {"read": [path]}, mcp={"a": ["x"], "b": []})
    servers = json.loads(seen["files"][path])["mcpServers"]
    assert [server["url"].removeprefix(seen["environment"]["ANTHROPIC_BASE_URL"]) for server in servers.values()] == [
        "/mcp/0",
        "/mcp/1",
    ]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"files": {"/etc/made-up": "x"}}, "/etc/made-up"),
        ({"start": "{cwd}/missing"}, "missing"),
    ],
    ids=["file outside", "no such start"],
)
def test_a_world_that_cannot_be_built_is_a_complaint(chambers: Chambers, fields: dict[str, Any], why: str) -> None:
    transcript = chambers.ask(World.of(case("a", **fields)), [("Look", {})])
    assert not transcript.answers
    assert why in transcript.complaint


def test_closed_chambers_ask_no_more(fake: Client) -> None:
    with Chambers(fake.path, fake.seconds) as made:
        pass
    with pytest.raises(ChambersClosed):
        made.ask(World.empty(), ())


def test_the_machine_is_untouched(chambers: Chambers) -> None:
    def names(path: str) -> set[str]:
        return {entry.name for entry in Path(path).iterdir()}

    before = names("/"), names("/etc"), isolation.MANAGED.is_dir() and names(str(isolation.MANAGED))
    look(chambers, {"write": ["/", "/etc", str(isolation.MANAGED)]}, settings={"managed": {}})
    assert (names("/"), names("/etc"), isolation.MANAGED.is_dir() and names(str(isolation.MANAGED))) == before
