from __future__ import annotations

import contextlib
import select
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from toolaudit.fuzz.oracle import build, shell
from toolaudit.fuzz.oracle.requirement import OracleUnavailable

JAIL = Path(__file__).with_name("jail.py")
TEXT_BYTES_MAX = 256 << 10
DOUBTS = (
    "it ran out of time",
    "it started too many programs",
    "its records did not fit",
    "a process or a pipe could not be made",
    "it ran out of memory",
    "a process died of a signal",
)
"""By bit, as arena.h has them."""

_REQUEST = struct.Struct("=III")
_ANSWER = struct.Struct("=iII")
_LENGTH = struct.Struct("=I")
_PATH = b"/programs/"
_NOT_FOUND = b"/programs/.not-found"
_SELF_TEST = "a 'b c' && PATH=/nowhere d; unset LD_PRELOAD; exec /e f"
_SELF_TEST_PROGRAMS = ((b"a", b"b c"), (b"d",), (b"/e", b"f"))


@dataclass(frozen=True, slots=True)
class Run:
    """What one command did: every program bash started, in order of start, each with its arguments."""

    programs: tuple[tuple[bytes, ...], ...]
    """The program first: the name as looked up, or the path as written."""
    status: int
    """bash's exit status; minus the signal's number where it was killed."""
    doubtful: str | None
    """Why more may have been started than `programs` shows; None: that is all of it."""


class Oracle:
    """Real bash in a jail where nothing but bash is ever executed: asks it what a command would start.

    A program is recorded instead of started; its output is the one line `w1`, its exit status 0 where programs
    `succeed`, else 1 (after every 6 programs it flips, so that loops over a program's status end). There are no
    files but those the command makes itself. Commands that only bash's builtins act on are not recorded.

    Each run is limited in wall time (`seconds`), CPU time, memory, processes, files and programs; a run that met a
    limit says so in `doubtful`. Raises OracleUnavailable, with the remedy, where something it needs is missing.
    """

    def __init__(self, seconds: float = 1.0) -> None:
        self._milliseconds = int(seconds * 1000)
        self._bash = shell.find()
        self._shim = build.shim()
        self._jail = self._start()
        self._broken = False
        run = self.run(_SELF_TEST)
        if run.programs != _SELF_TEST_PROGRAMS or run.doubtful:
            self.close()
            raise OracleUnavailable(
                f"{self._bash.path} does not take the preloaded functions (it answered {run})",
                "install the distribution's ordinary bash package",
            )

    @property
    def bash_version(self) -> str:
        return self._bash.version

    @property
    def server(self) -> int:
        """The process number of the jail; another one after it broke down."""
        return self._jail.pid

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the jail with everything in it."""
        for pipe in (self._jail.stdin, self._jail.stdout, self._jail.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # what was still to be sent has no reader any more
                    pipe.close()
        try:
            self._jail.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._jail.kill()
            self._jail.wait()

    def run(self, text: str, succeed: bool = True) -> Run:
        """Runs `bash -c text`.

        Raises ValueError for a text that can't be an argument: with a NUL, not UTF-8, or over 256 KiB.
        """
        command = text.encode()
        if b"\0" in command or len(command) > TEXT_BYTES_MAX:
            raise ValueError("expected a command without NUL, of at most 256 KiB")
        if self._broken:
            self.close()
            self._jail = self._start()
        self._broken = True  # until the whole answer is here: else the next run would be told of this one
        try:
            status, doubts, records = self._ask(command, succeed)
        except (OSError, EOFError):
            return Run((), -1, "the jail broke down")
        self._broken = False
        reasons = " and ".join(reason for bit, reason in enumerate(DOUBTS) if doubts >> bit & 1)
        return Run(_programs(records), _exit_status(status), reasons or None)

    def _ask(self, command: bytes, succeed: bool) -> tuple[int, int, bytes]:
        to, answer = _pipe(self._jail.stdin), _pipe(self._jail.stdout)
        to.write(_REQUEST.pack(len(command), self._milliseconds, not succeed) + command)
        to.flush()
        _await(answer, self._milliseconds / 1000 + 10)
        status, doubts, length = _ANSWER.unpack(_read(answer, _ANSWER.size))
        return status, doubts, _read(answer, length)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", "-B", str(JAIL), self._bash.path, str(self._shim), *self._bash.files]
        pipe = subprocess.PIPE
        jail = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env={}, start_new_session=True)
        try:
            _await(_pipe(jail.stdout), 10)
            _read(_pipe(jail.stdout), len(b"ready"))
        except (OSError, EOFError):
            jail.kill()
            why = jail.communicate()[1].decode(errors="replace").strip()
            raise OracleUnavailable(
                f"the jail can't be built ({why})",
                "run it as root with CAP_SYS_ADMIN, or allow unprivileged user namespaces (sysctl "
                "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, "
                "user.max_user_namespaces above 0); in a container, start it privileged",
            ) from None
        return jail


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise EOFError
    return stream


def _await(stream: IO[bytes], seconds: float) -> None:
    """Returns when something can be read, and nothing of it was. Raises EOFError where that takes too long."""
    if not select.select([stream], [], [], seconds)[0]:
        raise EOFError


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


def _exit_status(status: int) -> int:
    return -(status & 0x7F) if status & 0x7F else status >> 8


def _programs(records: bytes) -> tuple[tuple[bytes, ...], ...]:
    programs = []
    at = 0
    while at < len(records):
        (length,) = _LENGTH.unpack_from(records, at)
        programs.append(_program(_words(records, at + 4, at + length)))
        at += length
    return tuple(programs)


def _words(records: bytes, at: int, end: int) -> list[bytes]:
    words = []
    while at < end:
        (length,) = _LENGTH.unpack_from(records, at)
        words.append(records[at + 4 : at + 4 + length])
        at += 4 + length
    return words


def _program(words: list[bytes]) -> tuple[bytes, ...]:
    """Path, argument 0 and the arguments become the program and its arguments."""
    path, name, *arguments = words if len(words) > 1 else [*words, b""]
    if path == _NOT_FOUND:
        return tuple(arguments)
    if path.startswith(_PATH) and b"/" not in name:
        path = path.removeprefix(_PATH)
    elif b"/" in name and path.endswith(b"/" + name.removeprefix(b"./")):
        path = name  # exec makes the path absolute
    return (path, *arguments)
