"""A sandbox made of the kernel's namespaces, for systems without bubblewrap; as a program, it starts a command there.

Inside there is no network and no other process; every file system is read-only, but for what was named and a private
`/tmp`; devices are a handful; `/run`, where services listen, is empty. The command stays the same user, without any
capability and without a way to get one. It dies with whoever started it.

A process in between waits for the command and reaps what it leaves; when the command ends, the kernel ends the rest.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolaudit import mounts
from toolaudit.tools.effects.consumption import THREADS_MAX

DEVICES: Final = ("full", "null", "random", "urandom", "zero")
STREAMS: Final = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
"""Link in `/dev` -> its target in `/proc/self`."""

KERNEL_SETTINGS: Final = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus")
"""Root could change them without any capability."""

CAPABILITY_LAST: Final = 63
PR_SET_NO_NEW_PRIVS: Final = 38
FAILED: Final = 125
"""The exit code where the sandbox can't be made."""

_ROOT: Final = str(Path(__file__).parents[3])
# Isolated, so that neither the working directory nor a variable can bring another module.
_START: Final = (
    f"import sys; sys.path.insert(0, {_ROOT!r}); from {__name__} import main; main(sys.argv[1], sys.argv[2:])"
)


@dataclass(frozen=True, slots=True)
class Namespaces:
    """The sandbox of this module."""

    memory: int
    """The most bytes of data that one process may have."""

    def wrap(self, argv: Sequence[str], cwd: str, writable: Sequence[str], scratch: str) -> list[str]:
        given = json.dumps({"cwd": cwd, "writable": sorted(set(writable)), "scratch": scratch, "memory": self.memory})
        return [sys.executable, "-I", "-S", "-c", _START, given, *argv]


def main(text: str, argv: Sequence[str]) -> None:
    """Runs `argv` in the sandbox that `text` describes, and ends with its exit code."""
    given = json.loads(text)
    try:
        _die_with_parent()
        _separate()
        first = os.fork()
        if first:
            os._exit(_wait_for(first))
        _die_with_parent()
        _furnish(given["cwd"], given["writable"], given["scratch"])
        _give_up_power()
        command = os.fork()
        if command:
            os._exit(_wait_for(command))
        resource.setrlimit(resource.RLIMIT_DATA, (given["memory"], given["memory"]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError):  # a lower limit stands already
            resource.setrlimit(resource.RLIMIT_NPROC, (THREADS_MAX, THREADS_MAX))
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # Python ignores or handles them, and the command would inherit that
        os.chdir(given["cwd"])
        os.execvp(argv[0], list(argv))
    except OSError as error:
        os.write(2, f"sandbox: {error}\n".encode(errors="replace"))
    finally:
        os._exit(FAILED)


def _die_with_parent() -> None:
    mounts.libc().prctl(mounts.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _separate() -> None:
    user, group = os.geteuid(), os.getegid()
    flags = mounts.CLONE_NEWUSER | mounts.CLONE_NEWNS | mounts.CLONE_NEWPID | mounts.CLONE_NEWNET
    mounts.unshare(flags | mounts.CLONE_NEWIPC | mounts.CLONE_NEWUTS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with suppress(OSError):
        # Where memory gets scarce, what runs here goes first.
        Path("/proc/self/oom_score_adj").write_text("1000")


def _furnish(cwd: str, writable: Sequence[str], scratch: str) -> None:
    # Opened before anything is covered: a mount can be made from an open directory wherever it was.
    shown = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in sorted({cwd, *writable})}
    opened = os.open(scratch, os.O_PATH | os.O_CLOEXEC)
    devices = {name: os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in DEVICES}
    mounts.freeze(executable=True)
    mounts.open_up(f"/proc/self/fd/{opened}", "/tmp", mounts.READ_ONLY)
    mounts.empty("/run", "1m")
    _place(shown, writable)
    mounts.close("/run")
    mounts.empty("/dev", "16m")
    for name, device in devices.items():
        Path(f"/dev/{name}").touch()
        mounts.open_up(f"/proc/self/fd/{device}", f"/dev/{name}", mounts.NO_DEVICES)
    for name, target in STREAMS.items():
        Path(f"/dev/{name}").symlink_to(f"/proc/self/{target}")
    Path("/dev/shm").mkdir()
    mounts.mount_processes()
    _limit_processes()
    for part in KERNEL_SETTINGS:
        if Path(part).exists():
            mounts.bind(part, part, executable=True)


def _limit_processes() -> None:
    """For root, whom no resource limit stops: the highest process number there is in this namespace.

    It was the whole system's before Linux 6.14, and root could change that from in here.
    """
    if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 14):
        with suppress(OSError):
            Path("/proc/sys/kernel/pid_max").write_text(str(THREADS_MAX))


def _place(shown: dict[str, int], writable: Sequence[str]) -> None:
    """Puts the directories of the session where they were, in case that is covered now."""
    for path, opened in shown.items():
        Path(path).mkdir(parents=True, exist_ok=True)
        mounts.open_up(f"/proc/self/fd/{opened}", path, mounts.READ_ONLY if path in writable else 0)


def _give_up_power() -> None:
    for capability in range(CAPABILITY_LAST + 1):
        # Numbers that the kernel has not got fail, harmlessly.
        mounts.libc().prctl(mounts.PR_CAPBSET_DROP, capability, 0, 0, 0)
    mounts.libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _wait_for(child: int) -> int:
    """The exit code of `child` as a shell tells it; whatever else ends meanwhile is reaped."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the command is told too, and its end is waited for
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
