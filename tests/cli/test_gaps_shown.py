"""A gap of the client is shown by every verb that decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.cli import main

COMMAND = "LC_TIME=a ls"
MESSAGE = "a variable that changes how bash finds or runs programs is set"


def test_check_shows_the_gap(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", COMMAND]) == 0
    text = capsys.readouterr().out
    assert f"warning client-gap: {MESSAGE}" in text
    assert "    LC_TIME=a\n" in text


def test_check_names_the_part_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", COMMAND, "--json"]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["id"], finding["severity"], finding["witness"]) == ("client-gap", "warning", "LC_TIME=a")


@pytest.mark.parametrize("form", ["table", "json"])
def test_replay_counts_the_gap(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = {"cwd": str(tmp_path), "sessionId": "s", "timestamp": "2026-01-01T00:00:00.000Z", "isSidechain": False}
    content = [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": COMMAND}}]
    message = {"id": "m", "type": "message", "role": "assistant", "content": content}
    line = {**common, "type": "assistant", "uuid": "a", "parentUuid": None, "message": message}
    (tmp_path / "s.jsonl").write_text(json.dumps(line) + "\n")
    (tmp_path / "policy.json").write_text("{}")
    assert main(["replay", str(tmp_path / "s.jsonl"), "--policy", str(tmp_path / "policy.json"), "--format", form]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "client-gap" in text
    assert MESSAGE in text
