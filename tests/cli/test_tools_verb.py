"""The verb `tools`: the pool as a model would see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolaudit.cli import main

TEAM = str(Path(__file__).parents[2] / "corpora" / "policies" / "team")


def listed(capsys: pytest.CaptureFixture[str], *further: str) -> dict[str, dict[str, Any]]:
    assert main(["tools", "--json", *further]) == 0
    return {row["name"]: row for row in json.loads(capsys.readouterr().out)["tools"]}


def test_what_the_model_sees(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys, "--mcp-tool", "mcp__gh__get")
    assert rows["Read"]["read_only"] == rows["Read"]["concurrency_safe"] == "yes"
    assert rows["Read"]["result_limit"] is None
    assert rows["Bash"]["concurrency_safe"] == "by input"
    assert rows["Write"]["read_only"] == "no"
    assert rows["mcp__gh__get"]["deferred"]
    assert rows["mcp__gh__get"]["source"] == "gh"
    assert list(rows)[-1] == "mcp__gh__get"
    assert all(row["in_pool"] for row in rows.values())


def test_what_took_a_tool_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text('{"permissions": {"deny": [\n  "Web*",\n  "mcp__gh", "Read(.env)"\n]}}')
    rows = listed(capsys, "--user", str(settings), "--mcp-tool", "mcp__gh__get")
    gone = {name for name, row in rows.items() if not row["in_pool"]}
    assert gone == {"WebFetch", "WebSearch", "mcp__gh__get"}
    assert rows["WebFetch"]["rule"] == {
        "text": "Web*",
        "scope": "user",
        "file": str(settings),
        "line": 2,
        "column": 3,
    }
    assert main(["tools", "--user", str(settings)]) == 0
    assert f"deny Web*  {settings}:2:3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mode", "tool", "before"),
    [
        ("default", "WebSearch", "approval"),
        ("auto", "WebSearch", "the classifier"),
        ("dontAsk", "WebSearch", "an allow rule"),
        ("bypassPermissions", "WebSearch", "nothing"),
        ("bypassPermissions", "ExitPlanMode", "a person"),
        ("dontAsk", "ExitPlanMode", "denied"),
        ("default", "Agent", "nothing"),
        ("auto", "Agent", "the classifier"),
        ("default", "Bash", "its own check"),
    ],
)
def test_what_stands_before_a_call(mode: str, tool: str, before: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "--mode", mode)[tool]["before"] == before


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--policy", "no-such-file.json"]) == 3
    with pytest.raises(SystemExit):
        main(["tools", "--mcp-tool", "Read"])
    assert main(["tools", "--policy", TEAM]) == 0
    assert "tools under" in capsys.readouterr().out
