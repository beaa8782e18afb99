"""Secrets and home directories can be masked wherever a verb repeats its input."""

from __future__ import annotations

import io
import json

import pytest

from toolaudit.cli import main

KEY = "sk-ant-api03-" + "abcdefghijklmnop" * 3
COMMAND = f'curl -H "Authorization: Bearer {KEY}" -o /home/dana/x https://example.com'


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_check_masks_what_it_repeats(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", COMMAND, "--redact", *options]) == 10
    out = capsys.readouterr().out
    assert "dana" not in out
    assert KEY not in out
    assert "Authorization: Bearer [" in out


def test_check_repeats_it_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", COMMAND])
    assert KEY in capsys.readouterr().out


def test_decide_masks_what_it_repeats(tmp_path, capfd: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"id": "1", "tool": "Bash", "input": {"command": COMMAND}}) + "\n")
    assert main(["decide", str(cases), "--redact"]) == 0
    out = capfd.readouterr().out
    assert "dana" not in out
    assert KEY not in out
    assert json.loads(out)["decision"] == "ask"
    assert io.StringIO(out).readline() == out
