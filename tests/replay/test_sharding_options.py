"""`replay` with several processes, and `replay` that goes on: same output, less to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolaudit.cli import main
from toolaudit.cli.replay import FORMATS
from toolaudit.transcripts import formats

COMMAND = ["replay", "corpora/sessions", "--policy", "corpora/policies/team", "--format", "json"]


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main([*COMMAND, *options]) == 0
    return capsys.readouterr().out


def test_processes_and_resumed_runs_print_what_one_run_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = printed(capsys)
    work = tmp_path / "work"
    assert printed(capsys, "--jobs", "2") == expected
    assert printed(capsys, "--resume", str(work)) == expected
    journals = sorted(work.iterdir())
    marks = [path.stat().st_mtime_ns for path in journals]
    assert journals
    assert printed(capsys, "--resume", str(work)) == expected
    assert [path.stat().st_mtime_ns for path in sorted(work.iterdir())] == marks
    assert printed(capsys, "--resume", str(work), "--deny", "Bash(ls *)") != expected
    assert len(sorted(work.iterdir())) == 2 * len(journals)


def test_help_names_every_format() -> None:
    assert sorted(each.NAME for each in formats.FORMATS) == list(FORMATS)


def test_an_unknown_format_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--from", "nonsense"]) == 2
    assert "expected one of antigravity, atif, " in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--resume", "work"], ["--cluster"]], ids=" ".join)
def test_standard_input_is_neither_resumed_nor_shared(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "-", "--policy", "corpora/policies/team", *option]) == 2
    assert "standard input can't be resumed or shared: save it to a file" in capsys.readouterr().err
    assert not Path("work").exists()
