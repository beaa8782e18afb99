from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.cli import main, parse


def test_lines_in_lines_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "commands.jsonl"
    source.write_text('{"id": 1, "command": "git add \\"$x\\" *.py | wc"}\n\n{"id": "b", "command": "eval x"}\n')
    assert main(["parse", str(source)]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert records == [
        {
            "id": 1,
            "verdict": "exact",
            "reason": None,
            "construct": None,
            "at": None,
            "commands": [
                {"argv": ["git", "add", None, {"any": True}], "span": [0, 17], "context": ["pipeline"]},
                {"argv": ["wc"], "span": [20, 22], "context": ["pipeline"]},
            ],
        },
        {
            "id": "b",
            "verdict": "too-complex",
            "reason": "evaluating-builtin",
            "construct": "eval",
            "at": [0, 6],
            "commands": [{"argv": ["eval", "x"], "span": [0, 6], "context": []}],
        },
    ]


BAD_LINES = {
    "no JSON": "ls",
    "no object": "[1]",
    "no command": '{"id": 1}',
    "command is no text": '{"command": 1}',
    "nested too deep": "[" * 100_000,
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_bad_line_is_named_and_the_rest_goes_on(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "commands.jsonl"
    source.write_text(f'{{"id": 1, "command": "ls"}}\n{line}\n{{"id": 3, "command": "id"}}\n')
    assert main(["parse", str(source)]) == 1
    first, bad, last = (json.loads(one) for one in capsys.readouterr().out.splitlines())
    assert (first["id"], last["id"]) == (1, 3)
    assert bad["line"] == 2
    assert bad["error"].startswith("expected")


def test_overlong_line_is_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "MAX_LINE", 50)
    source = tmp_path / "commands.jsonl"
    source.write_text(json.dumps({"command": "a" * 500}) + '\n{"id": 2, "command": "ls"}\n')
    assert main(["parse", str(source)]) == 1
    bad, good = (json.loads(one) for one in capsys.readouterr().out.splitlines())
    assert bad == {"line": 1, "error": "expected at most 50 bytes a line"}
    assert good["id"] == 2


def test_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["parse", str(tmp_path / "none.jsonl")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_undecodable_and_surrogate_commands_get_a_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "commands.jsonl"
    source.write_bytes(b'{"command": "ls \\ud800"}\n{"command": "\xff"}\n')
    assert main(["parse", str(source)]) == 1
    surrogate, undecodable = (json.loads(one) for one in capsys.readouterr().out.splitlines())
    assert surrogate["reason"] == "control-character"
    assert undecodable["line"] == 2
