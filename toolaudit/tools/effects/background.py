"""Commands of a session, in front and in the background: one watcher thread each, all of them ended with the session.

A command in front and one in the background are the same thing; the one is waited for, the other is not, and a wait
that takes too long simply ends.
"""

from __future__ import annotations

import os
import secrets
import shutil
import string
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Protocol

from toolaudit.tools.effects import commands
from toolaudit.tools.effects.commands import GRACE_SECONDS, Process, Runner
from toolaudit.tools.effects.consumption import LOOK_SECONDS
from toolaudit.tools.interface import ToolError

Status = Literal["running", "completed", "failed", "killed"]

OUTPUT_BYTES_MAX = 5 << 30
"""A command whose output takes more than this on disk is killed (documents, 13)."""

KEPT_BYTES_MAX = 64 << 20
"""Of a longer output only so many bytes are kept (documents, 13)."""

BACKGROUND_SECONDS = 1800.0
"""A command that was moved to the background is stopped after this long (measured)."""

TASKS_MAX = 64
"""How many commands may run at once in one session."""

_POLL_SECONDS = 0.02
_ALPHABET = string.ascii_lowercase + string.digits


class Job(Protocol):
    """What runs in the background: a command, or an agent."""

    @property
    def kind(self) -> str:
        """The client's word for it."""

    @property
    def id(self) -> str: ...
    @property
    def command(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def code(self) -> int | None: ...
    @property
    def done(self) -> threading.Event: ...

    def stop(self) -> None:
        """Ends it, if it still runs."""

    def new_text(self, most: int) -> bytes:
        """What came since the last time this was asked."""


@dataclass(eq=False, slots=True)
class Task:
    """One command that runs or ran."""

    kind: ClassVar[str] = "local_bash"

    id: str
    command: str
    description: str
    output: str
    """The file its output goes to."""
    process: Process
    done: threading.Event = field(default_factory=threading.Event)
    status: Status = "running"
    code: int | None = None
    excess: str = ""
    """What it took too much of, and was killed for."""
    offset: int = 0
    """How many bytes of the output were handed out as new."""
    tracked: str = ""
    """The file in which the shell leaves its last directory."""
    deadline: float = float("inf")
    """When it is killed, by the monotonic clock."""

    def stop(self) -> None:
        """Kills it, if it still runs, and waits until nothing of it is left."""
        if not self.done.is_set():
            self.process.kill()
            self.done.wait()

    def text(self, start: int = 0, most: int = KEPT_BYTES_MAX) -> bytes:
        """The output from byte `start`, at most `most` bytes."""
        with Path(self.output).open("rb") as stream:
            stream.seek(start)
            return stream.read(most)

    def new_text(self, most: int) -> bytes:
        """What came since the last time this was asked."""
        data = self.text(self.offset, most)
        self.offset += len(data)
        return data


class Tasks:
    """The commands of one session. `close` ends them and removes what they wrote outside the workspace.

    A session that is forgotten instead is closed when its commands are collected, or when the process ends.
    """

    def __init__(self, directory: str = "") -> None:
        """Outputs go to `directory`, or to a temporary one."""
        self._given = directory
        self._directory = ""
        self._tasks: dict[str, Task] = {}
        self._agents: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._end = weakref.finalize(self, _end, self._tasks, "")

    def start(
        self,
        argv: Sequence[str] | Callable[[int], Sequence[str]],
        cwd: str,
        runner: Runner,
        *,
        command: str,
        description: str = "",
        writable: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Task:
        """Starts a command. Raises ToolError where it can't be started.

        An `argv` that is a function takes the number of a descriptor to which the command writes its last directory.
        """
        with self._lock:
            if self._closed:
                raise ToolError("The session has ended.", "session_ended")
            if sum(not task.done.is_set() for task in self._tasks.values()) >= TASKS_MAX:
                raise ToolError(f"There are {TASKS_MAX} commands running already.", "too_many_tasks")
            directory = self._open_directory()
        name = "b" + "".join(secrets.choice(_ALPHABET) for _ in range(8))
        output = f"{directory}/{name}.output"
        tracked = f"{directory}/{name}.directory" if callable(argv) else ""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptors = [os.open(path, flags, 0o600) for path in (output, tracked) if path]
        try:
            process = commands.start(
                runner,
                argv(descriptors[-1]) if callable(argv) else argv,
                cwd,
                descriptors[0],
                scratch=f"{directory}/tmp",
                writable=writable,
                environment=environment or {},
                keep=descriptors[1:],
            )
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        task = Task(name, command, description, output, process, tracked=tracked)
        with self._lock:
            self._tasks[name] = task
            late = self._closed
        threading.Thread(target=_watch, args=(task,), daemon=True, name=f"task {name}").start()
        if late:
            task.stop()
        return task

    def get(self, name: str) -> Job | None:
        """The command or agent of this id."""
        return self._tasks.get(name) or self._agents.get(name)

    def adopt(self, agent: Job) -> None:
        """Takes note of an agent that runs on its own."""
        with self._lock:
            self._agents[agent.id] = agent

    def forget(self, task: Task) -> None:
        """Drops a command in front that has ended, with its files."""
        with self._lock:
            self._tasks.pop(task.id, None)
        for path in filter(None, (task.output, task.tracked)):
            with suppress(FileNotFoundError):
                Path(path).unlink()

    def limit(self, task: Task, seconds: float) -> None:
        """Has a command killed if it still runs after so long."""
        task.deadline = time.monotonic() + seconds

    def running(self) -> tuple[Task, ...]:
        with self._lock:
            return tuple(task for task in self._tasks.values() if not task.done.is_set())

    def close(self) -> None:
        """Ends every command of the session. Nothing can be started afterwards."""
        with self._lock:
            self._closed = True
        self._end()

    def _open_directory(self) -> str:
        if not self._directory:
            self._directory = os.path.realpath(self._given or tempfile.mkdtemp(prefix="toolaudit-"))
            Path(f"{self._directory}/tmp").mkdir(parents=True, exist_ok=True)
            self._end.detach()
            self._end = weakref.finalize(self, _end, self._tasks, "" if self._given else self._directory)
        return self._directory


def _end(tasks: dict[str, Task], directory: str) -> None:
    """Ends the commands and removes the directory of their outputs, where it was made for them."""
    for task in tuple(tasks.values()):
        task.stop()
    if directory:
        shutil.rmtree(directory, ignore_errors=True)


def _watch(task: Task) -> None:
    """Follows a command to its end; whatever happens to the one who follows, it ends, and those who wait hear of it."""
    try:
        task.code = _follow(task)
    finally:
        if task.code is None:
            task.process.kill(grace=0.0)
        task.process.sweep()
        task.status = "killed" if task.process.killed else "completed" if task.code == 0 else "failed"
        task.done.set()


def _follow(task: Task) -> int:
    """The command's exit code. It is made to end where it writes or takes too much."""
    pause, look = _POLL_SECONDS / 10, time.monotonic() + LOOK_SECONDS
    while (code := task.process.wait(pause)) is None:
        pause = min(pause * 1.5, _POLL_SECONDS * 5)
        if Path(task.output).stat().st_size > OUTPUT_BYTES_MAX:
            task.excess = f"its output took more than {OUTPUT_BYTES_MAX >> 30} GB"
        elif time.monotonic() > look:
            task.excess = task.process.excess() or ""
            look = time.monotonic() + LOOK_SECONDS
        if task.excess or time.monotonic() > task.deadline:
            task.process.kill(grace=0.0 if task.excess else GRACE_SECONDS)
    return code
