"""Starting the commands of tools: in a sandbox without network, where only the workspace can be written.

A runner gives the argv that wraps a command; `start` starts it in a session of its own and `Process.kill` ends it with
everything it started. There is no running without a runner: where the system offers no sandbox, a call fails unless
`Unconfined` was asked for by name. A sandbox is bubblewrap's, or else our own, of the same namespaces; for root our own
comes first, since the kernel counts root's processes nowhere but in a namespace, and bubblewrap has no word for that.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from toolaudit.tools.effects.consumption import THREADS_MAX, excess, memory_max
from toolaudit.tools.effects.namespaces import KERNEL_SETTINGS, Namespaces
from toolaudit.tools.interface import ToolError

MARK = "TOOLAUDIT_PROCESS"
"""The environment variable by which what a command started is found again, wherever it went."""

GRACE_SECONDS = 1.0
"""For which a command may tidy up after it was told to stop."""

_BASE = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "dumb"}


class Runner(Protocol):
    """How commands are contained."""

    def wrap(self, argv: Sequence[str], cwd: str, writable: Sequence[str], scratch: str) -> list[str]:
        """The argv that runs `argv` in `cwd`, where only `writable` and the temporary directory can be written.

        `scratch` is the directory that stands behind `/tmp`. Raises ToolError where that is impossible.
        """


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Namespaces made by bubblewrap: no network, no other processes, everything read-only but the workspace.

    `/run`, where services listen for whoever can see their sockets, is empty. Started by root, bubblewrap leaves a
    command what it needs to undo all that, unless it is told to drop every capability.
    """

    program: str = "bwrap"

    def wrap(self, argv: Sequence[str], cwd: str, writable: Sequence[str], scratch: str) -> list[str]:
        # What lies under /tmp is out of sight behind `scratch` until it is mounted again.
        kinds = {cwd: "--ro-bind", **dict.fromkeys(writable, "--bind")}
        mounts = [part for path in sorted(kinds) for part in (kinds[path], path, path)]
        settings = [part for path in KERNEL_SETTINGS for part in ("--ro-bind-try", path, path)]
        limits = f'ulimit -c 0 -d {memory_max() >> 10}; ulimit -u {THREADS_MAX} 2>/dev/null; exec "$@"'
        return [
            *(self.program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/"),
            *("--dev", "/dev", "--proc", "/proc", *settings, "--tmpfs", "/run", "--bind", scratch, "/tmp"),
            *(*mounts, "--chdir", cwd, "--", "bash", "-c", limits, "bash", *argv),
        ]


@dataclass(frozen=True, slots=True)
class Unconfined:
    """No sandbox: the command does what the user may do. Only for those who ask for it."""

    def wrap(self, argv: Sequence[str], cwd: str, writable: Sequence[str], scratch: str) -> list[str]:
        return list(argv)


@dataclass(frozen=True, slots=True)
class Refusing:
    """No commands at all."""

    why: str = "No sandbox is available (neither bubblewrap nor this process may make namespaces)."

    def wrap(self, argv: Sequence[str], cwd: str, writable: Sequence[str], scratch: str) -> list[str]:
        raise ToolError(f"Commands are not run here: {self.why}", "no_sandbox")


@lru_cache(maxsize=1)
def find_runner() -> Runner:
    """The sandbox of this system, found by running it once; `Refusing` where there is none."""
    program = shutil.which("bwrap")
    sandboxes: list[Runner] = [Namespaces(memory_max())]
    if program is not None:
        sandboxes.insert(1 if os.geteuid() == 0 else 0, Bubblewrap(program))
    return next(filter(works, sandboxes), Refusing())


def works(runner: Runner) -> bool:
    """Whether a command can be run in a sandbox on this system."""
    with tempfile.TemporaryDirectory(prefix="toolaudit-") as scratch:
        argv = runner.wrap(["true"], "/", (), scratch)
        try:
            trial = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            return False
    return trial.returncode == 0


@lru_cache(maxsize=1)
def _starter() -> ThreadPoolExecutor:
    """The one thread that starts processes: a sandbox ends with the thread that started it, so this one stays."""
    return ThreadPoolExecutor(1, "starter")


os.register_at_fork(after_in_child=_starter.cache_clear)


@dataclass(slots=True)
class Process:
    """A command that was started."""

    popen: subprocess.Popen[bytes]
    mark: str
    killed: bool = False

    def poll(self) -> int | None:
        """The exit code as a shell tells it; None: it still runs."""
        return _code(self.popen.poll())

    def wait(self, seconds: float) -> int | None:
        """Waits at most `seconds`; the exit code, or None: it still runs."""
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(seconds)
        return self.poll()

    def excess(self) -> str | None:
        """What the command takes too much of, with all that it started; None: nothing."""
        return excess(self.popen.pid)

    def kill(self, grace: float = GRACE_SECONDS) -> None:
        """Ends the command and everything it started: politely, then after `grace` seconds for good."""
        self.killed = True
        if grace:
            _signal_group(self.popen.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(grace)
        _signal_group(self.popen.pid, signal.SIGKILL)
        self.sweep()
        self.popen.wait()

    def sweep(self) -> None:
        """Ends what the command left behind, in whatever session it is now."""
        deadline = time.monotonic() + 1.0
        while (left := _marked(self.mark)) and time.monotonic() < deadline:
            for pid in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)


def start(
    runner: Runner,
    argv: Sequence[str],
    cwd: str,
    output: int,
    *,
    scratch: str,
    writable: Sequence[str] = (),
    environment: Mapping[str, str] = MappingProxyType({}),
    keep: Sequence[int] = (),
    given: int = subprocess.DEVNULL,
    errors: int | None = None,
) -> Process:
    """Starts `argv` in `cwd`; its outputs go to the descriptor `output`, its errors to `errors` where that is set.

    It reads the descriptor `given`, or nothing. It sees `environment` over a small base, and nothing of this process's
    own; `keep` are descriptors it inherits. Raises ToolError where it can't be started.
    """
    mark = secrets.token_hex(8)
    wrapped = runner.wrap(argv, cwd, writable, scratch)
    try:
        popen = (
            _starter()
            .submit(
                subprocess.Popen,
                wrapped,
                cwd=cwd,
                env={**_BASE, **environment, MARK: mark},
                stdin=given,
                stdout=output,
                stderr=output if errors is None else errors,
                pass_fds=tuple(keep),
                start_new_session=True,
            )
            .result()
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"{argv[0]} could not be started.", "spawn_failed") from error
    return Process(popen, mark)


def _code(code: int | None) -> int | None:
    return code if code is None or code >= 0 else 128 - code


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _marked(mark: str) -> list[int]:
    """The processes whose environment holds the mark; empty where the system does not tell."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdecimal() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found
