"""A replay that is killed, by the signal that can't be caught, and goes on: real processes, real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from toolaudit.bench import synthetic

_PATIENCE = 120
"""Seconds; what is waited for takes a few."""


def command(sessions: Path, out: Path, *options: str) -> list[str]:
    policy = ["--allow", "Bash(git *)", "--deny", "Bash(curl *)"]
    return [
        sys.executable,
        "-m",
        "toolaudit",
        "replay",
        str(sessions),
        *policy,
        "--format",
        "ndjson",
        "--out",
        str(out),
        *options,
    ]


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not ready():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() - begun < _PATIENCE
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_killed_half_way_and_resumed_it_writes_what_one_run_writes(tmp_path: Path) -> None:
    sessions, work = tmp_path / "sessions", tmp_path / "work"
    synthetic.write(sessions, 27 << 20, file_size=9 << 20)
    with subprocess.Popen(command(sessions, tmp_path / "killed", "--jobs", "2", "--resume", str(work))) as process:
        wait_for(lambda: work.is_dir() and any(work.glob("*.journal")), process)
        workers = children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    kept = {path: path.stat().st_mtime_ns for path in work.glob("*.journal")}
    assert 0 < len(kept) < 3
    subprocess.run(command(sessions, tmp_path / "resumed", "--jobs", "2", "--resume", str(work)), check=True)
    subprocess.run(command(sessions, tmp_path / "whole"), check=True)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not [pid for pid in workers if runs(pid)]
