"""Refusals: a client that can't be isolated is never started."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

import pytest

from toolaudit import mounts
from toolaudit.cli import main
from toolaudit.conformance.live import Client, ClientUnavailable, isolation, programs


class Kernel:
    """A kernel that refuses some system calls."""

    def __init__(self, **errors: int) -> None:
        self.errors = errors

    def __getattr__(self, name: str) -> object:
        def call(*arguments: object) -> int:
            ctypes.set_errno(self.errors.get(name, 0))
            return -1 if name in self.errors else 0

        return call


def test_no_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "libc", lambda: Kernel(unshare=errno.EPERM))
    with pytest.raises(ClientUnavailable, match=r"no namespaces .*kernel\.unprivileged_userns_clone=1"):
        isolation.enter(Path("/bin/true"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every directory")
def test_a_directory_in_path_that_may_not_be_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, shut = tmp_path / "client", tmp_path / "shut"
    client.write_text("#!/usr/bin/env -S python3\n")
    (shut / "bin").mkdir(parents=True)
    shut.chmod(0)
    monkeypatch.setenv("PATH", f"{shut}/bin:{os.environ['PATH']}")
    try:
        assert any(path.name.startswith("python3") for path in programs.interpreters(client))
    finally:
        shut.chmod(0o700)


def test_an_old_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "libc", lambda: Kernel(syscall=errno.ENOSYS))
    with pytest.raises(ClientUnavailable, match=r"Linux 5\.12"):
        isolation._freeze()


def test_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ClientUnavailable, match="Linux only"):
        isolation.check_system()


def test_outside_a_chamber_the_self_test_fails() -> None:
    with pytest.raises(ClientUnavailable, match="not closed"):
        isolation.self_test()


def test_no_client() -> None:
    with pytest.raises(ClientUnavailable, match="no program at /nowhere/claude; install"):
        Client.locate("/nowhere/claude")


def test_the_verb_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": "a", "tool": "Bash", "input": {"command": "ls"}}\n')
    assert main(["conform", str(cases), "--client", "/nowhere/claude", "--record", str(tmp_path / "out")]) == 2
    assert "the client can't be asked: no program at /nowhere/claude; install" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_homes_are_hidden_by_account_and_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path.resolve() in isolation.hidden()
    monkeypatch.setenv("HOME", "/")
    assert Path("/") not in isolation.hidden()


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        ("/home/u/.local/share/claude/versions/2.1", "/home/u/.local/share/claude/versions/2.1"),
        ("/home/u/p/node_modules/@a/c/node_modules/b/claude", "/home/u/p/node_modules"),
    ],
)
def test_of_a_hidden_home_only_the_installation_is_shown(client: str, shown: str) -> None:
    assert programs.installation(Path(client)) == Path(shown)


@pytest.mark.parametrize(("program", "shown"), [("nvm/v1/bin/node", "nvm/v1"), ("bin/node", "bin/node")])
def test_an_interpreter_shows_no_home(
    program: str, shown: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    node = tmp_path / program
    node.parent.mkdir(parents=True)
    node.touch()
    client = tmp_path / "client"
    client.write_text(f"#!/usr/bin/env {node}\n")
    needed = isolation.needed(client)
    assert tmp_path / shown in needed
    assert tmp_path not in needed
