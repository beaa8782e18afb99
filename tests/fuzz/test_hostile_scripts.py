"""Scripts that attack the oracle: each ends in time, harms neither host nor server, and none is called harmless."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolaudit.fuzz.oracle import Oracle

STOPPED = [
    ("fork bomb", ":(){ :|:& };:"),
    ("fork bomb with programs", "b() { ls & b & b; }; b"),
    ("memory bomb", "x=aaaaaaaa; while :; do x=$x$x; done"),
    (
        "memory bomb in many processes",
        "b() { local x=aaaaaaaa; while :; do x=$x$x; done; }; for i in {1..40}; do b & done; wait",
    ),
    ("here-string bomb", 'x=aaaaaaaaaaaaaaaa; for i in {1..18}; do x=$x$x; done; while :; do : <<<"$x"; done'),
    ("recursion", "f() { f; }; f"),
    ("infinite loop", "while :; do :; done"),
    ("infinite loop that ignores signals", "trap '' TERM INT HUP XCPU QUIT; while :; do :; done"),
    ("stopped process", "kill -STOP $$"),
    ("waiting for itself", "exec 3< <(while :; do :; done); read x <&3"),
    ("endless input", "while read -N 1000 x; do :; done </dev/zero"),
    ("output flood", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"),
    ("file flood", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >>f; done"),
    ("many files", "for ((i=0; ; i++)); do >f$i; done"),
    ("kill all", "kill -9 -1; while :; do :; done"),
    ("kill all from a fork", "(kill -9 -1); while :; do :; done"),
]

RECORDED = [
    ("kill the server", "kill -9 1; kill -INT 1; kill -TERM 1; kill -STOP 1; rm x"),
    ("close every descriptor", 'for ((i=0; i<256; i++)); do eval "exec $i>&-"; done; rm x'),
    ("write to every descriptor", 'for f in /proc/self/fd/*; do echo junk >"$f"; done; rm x'),
    ("truncate what the server has open", "for f in /proc/1/fd/*; do : >$f; done; rm x"),
    ("write to the server's memory", "echo junk >/proc/1/mem; rm x"),
    ("write to its own memory", "echo junk >/proc/self/mem; rm x"),
    ("unset LD_PRELOAD", "unset LD_PRELOAD; export -n LD_PRELOAD; LD_PRELOAD= rm x"),
    ("empty environment", "exec -c rm x"),
    ("overwrite bash", "echo junk >/bin/bash; >/bin/bash; rm x"),
    ("overwrite the library", "echo junk >/shim.so; >/shim.so; rm x"),
    ("overwrite the start file", "echo exit >/start; rm x"),
    ("load a library of its own", "printf '\\177ELF' >lib.so; enable -f ./lib.so junk; rm x"),
    ("run a file of its own", "echo ls >f; rm x"),
    ("no descriptors to open", "ulimit -n 3; rm x"),
    ("no file size", "ulimit -f 0; rm x"),
    ("restricted", "set -r; rm x"),
]


@pytest.fixture(scope="module")
def hasty_oracle(oracle: Oracle) -> Iterator[Oracle]:
    """One that waits less long; it needs what the other one needs, so it is there or skipped together."""
    with Oracle(seconds=0.3) as hasty:
        yield hasty


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    file = tmp_path / "canary"
    file.write_text("alive")
    return file


def lives(oracle: Oracle) -> bool:
    return oracle.run("still alive").programs == ((b"still", b"alive"),)


def descendants(ancestor: int) -> set[int]:
    parents = dict(filter(None, map(family, Path("/proc").glob("[0-9]*"))))
    found = {ancestor}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {ancestor}


def family(process: Path) -> tuple[int, int] | None:
    """A process and its parent; None where it is gone already."""
    try:
        return int(process.name), int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


@pytest.mark.parametrize("text", [text for _, text in STOPPED], ids=[name for name, _ in STOPPED])
def test_endless_script_is_stopped_and_doubted(hasty_oracle: Oracle, text: str) -> None:
    server = hasty_oracle.server
    assert hasty_oracle.run(text).doubtful is not None
    assert lives(hasty_oracle)
    assert hasty_oracle.server == server


@pytest.mark.parametrize("text", [text for _, text in RECORDED], ids=[name for name, _ in RECORDED])
def test_attack_on_the_records_changes_nothing(oracle: Oracle, text: str) -> None:
    server = oracle.server
    run = oracle.run(text)
    assert (b"rm", b"x") in run.programs or run.doubtful is not None
    assert lives(oracle)
    assert oracle.server == server


def test_no_process_is_left(oracle: Oracle) -> None:
    before = descendants(oracle.server)
    assert len(before) == 1
    oracle.run(":(){ :|:& };:")
    oracle.run("while :; do :; done & disown; exit")
    assert descendants(oracle.server) == before


def test_a_server_that_died_is_replaced(hasty_oracle: Oracle) -> None:
    for process in descendants(hasty_oracle.server):
        os.kill(process, signal.SIGKILL)
    assert hasty_oracle.run("first").doubtful == "the jail broke down"
    assert hasty_oracle.run("second").programs == ((b"second",),)


def test_removal_of_everything_removes_nothing(oracle: Oracle, canary: Path) -> None:
    text = f"rm -rf / --no-preserve-root; rm {canary}; >{canary}; echo gone >/etc/passwd"
    run = oracle.run(text)
    assert run.programs[0] == (b"rm", b"-rf", b"/", b"--no-preserve-root")
    assert canary.read_text() == "alive"
    assert Path("/etc/passwd").read_text() != "gone\n"


def test_network_is_out_of_reach(oracle: Oracle) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        run = oracle.run(f"echo x >/dev/tcp/127.0.0.1/{port}; echo x >/dev/udp/127.0.0.1/{port}; ls")
        listener.settimeout(0.2)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert run.programs == ((b"ls",),)


def test_files_of_the_host_are_not_there(oracle: Oracle, canary: Path) -> None:
    run = oracle.run(f"see /* {canary.parent}* $(<{canary})")
    assert run.programs[0][-1] == f"{canary.parent}*".encode()
    assert b"/bin" in run.programs[0]
