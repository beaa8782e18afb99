"""Commands are contained, bounded, and leave no process behind."""

from __future__ import annotations

import gc
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolaudit.tools.effects import background, commands, consumption
from toolaudit.tools.effects.background import Task, Tasks
from toolaudit.tools.effects.commands import Bubblewrap, Refusing, Runner, Unconfined, find_runner, works
from toolaudit.tools.effects.consumption import memory_max
from toolaudit.tools.effects.namespaces import Namespaces
from toolaudit.tools.interface import ToolError


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    tasks = Tasks()
    yield tasks
    tasks.close()


@pytest.fixture(params=["bubblewrap", "namespaces"])
def sandbox(request: pytest.FixtureRequest) -> Runner:
    program = shutil.which("bwrap")
    runner: Runner = Namespaces(memory_max())
    if request.param == "bubblewrap":
        if program is None:
            pytest.skip("bubblewrap is not installed")
        runner = Bubblewrap(program)
    if not works(runner):
        pytest.skip(f"no namespaces may be made here by {request.param}")
    return runner


def run(tasks: Tasks, script: str, cwd: Path, runner: Runner) -> Task:
    task = tasks.start(["bash", "-c", script], str(cwd), runner, command=script, writable=(str(cwd),))
    assert task.done.wait(20)
    return task


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_both_outputs_go_to_one_file_in_order(tasks: Tasks, tmp_path: Path) -> None:
    task = run(tasks, "echo out; echo err >&2; exit 3", tmp_path, Unconfined())
    assert (task.text(), task.code, task.status) == (b"out\nerr\n", 3, "failed")


def test_a_command_sees_nothing_of_our_environment(
    tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert b"SECRET_TOKEN" not in run(tasks, "env", tmp_path, Unconfined()).text()


def test_the_sandbox_writes_in_the_workspace_only(tasks: Tasks, tmp_path: Path, sandbox: Runner) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    task = run(
        tasks, f"echo x > file; echo x > {outside}/f; echo y > /tmp/scratch && cat /tmp/scratch", inside, sandbox
    )
    assert (inside / "file").read_text() == "x\n"
    assert not (outside / "f").exists()
    assert task.text().endswith(b"y\n")


def test_the_sandbox_has_no_network(tasks: Tasks, tmp_path: Path, sandbox: Runner) -> None:
    task = run(tasks, "tail -n +3 /proc/net/dev | cut -d: -f1", tmp_path, sandbox)
    assert set(task.text().split()) <= {b"lo"}


def test_without_bubblewrap_the_sandbox_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    find_runner.cache_clear()
    own = Namespaces(memory_max())
    assert find_runner() == (own if works(own) else Refusing())
    find_runner.cache_clear()


def test_without_a_sandbox_nothing_runs(tasks: Tasks, tmp_path: Path) -> None:
    with pytest.raises(ToolError) as refused:
        tasks.start(["true"], str(tmp_path), Refusing(), command="true")
    assert refused.value.code == "no_sandbox"


@pytest.mark.parametrize(
    "script",
    ["sleep {0}", "setsid sleep {0} & sleep {0}", "trap '' TERM; sleep {0} & wait"],
    ids=["one", "two", "deaf"],
)
@pytest.mark.parametrize("contained", [True, False], ids=["sandbox", "unconfined"])
def test_stopping_leaves_no_process(
    tasks: Tasks, tmp_path: Path, sandbox: Runner, script: str, contained: bool
) -> None:
    seconds = f"60.{os.getpid()}{contained:d}{len(script)}"
    script = script.format(seconds)
    task = tasks.start(["bash", "-c", script], str(tmp_path), sandbox if contained else Unconfined(), command=script)
    deadline = time.monotonic() + 10
    while not sleepers(seconds) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert sleepers(seconds)
    task.stop()
    assert task.status == "killed"
    assert not sleepers(seconds)


def sleepers(seconds: str) -> list[str]:
    """The processes `sleep` with these seconds."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if entry.read_bytes().split(b"\0")[:2] == [b"sleep", seconds.encode()]:
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


def test_what_a_finished_command_left_running_ends_with_it(tasks: Tasks, tmp_path: Path) -> None:
    task = run(tasks, "setsid sleep 60 >/dev/null 2>&1 & echo $!", tmp_path, Unconfined())
    assert not alive(int(task.text()))


def test_a_flood_is_stopped(tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "OUTPUT_BYTES_MAX", 1 << 20)
    task = run(tasks, "yes", tmp_path, Unconfined())
    assert "output" in task.excess
    assert task.status == "killed"


UNLIMITED = "the kernel does not limit root's processes here"
FORKS = """python3 -c '
import os, signal
made = 0
try:
    while True:
        if os.fork() == 0:
            signal.pause()
        made += 1
except OSError:
    print(made)
'"""


def limits_processes(sandbox: Runner) -> bool:
    kernel = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])
    return os.geteuid() != 0 or (isinstance(sandbox, Namespaces) and kernel >= (6, 14))


def test_the_kernel_itself_limits_the_processes(
    tasks: Tasks, tmp_path: Path, sandbox: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not limits_processes(sandbox):
        pytest.skip(UNLIMITED)
    monkeypatch.setattr(background, "LOOK_SECONDS", 1000.0)
    made = int(run(tasks, FORKS, tmp_path, sandbox).text())
    assert consumption.PROCESSES_MAX < made < consumption.THREADS_MAX


def test_whoever_waits_for_a_command_hears_of_its_end_even_if_it_can_not_be_watched(
    tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(process: commands.Process) -> str | None:
        raise MemoryError

    told = threading.Event()
    monkeypatch.setattr(commands.Process, "excess", fail)
    monkeypatch.setattr(threading, "excepthook", lambda exception: told.set())
    task = run(tasks, "sleep 60", tmp_path, Unconfined())
    assert task.status == "killed"
    assert told.wait(20)


BOMBS = {
    "processes": (":(){ :|:& };:; wait; sleep 60", "processes at once"),
    "processes apart": ("for i in {1..200}; do setsid sleep 60 & done; wait", "processes at once"),
    "memory": ("tail /dev/zero", "of memory"),
    "memory together": (
        "for i in {1..8}; do python3 -c 'import time; kept = b\"x\" * (24 << 20); time.sleep(60)' & done; wait",
        "of memory",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_does_not_go_off(
    tasks: Tasks, tmp_path: Path, sandbox: Runner, bomb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bomb == "processes" and not limits_processes(sandbox):
        pytest.skip(UNLIMITED)
    monkeypatch.setattr(consumption, "PROCESSES_MAX", 60)
    monkeypatch.setattr(consumption, "memory_max", lambda: 128 << 20)
    script, said = BOMBS[bomb]
    task = run(tasks, script, tmp_path, sandbox)
    assert said in task.excess
    assert (task.status, task.code) == ("killed", 137)
    assert not commands._marked(task.process.mark)


def test_no_process_gets_more_memory_than_all_together(
    tasks: Tasks, tmp_path: Path, sandbox: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "memory_max", lambda: 256 << 20)
    runner = Namespaces(256 << 20) if isinstance(sandbox, Namespaces) else sandbox
    task = run(tasks, "python3 -c 'b\"x\" * (300 << 20)' 2>&1 | tail -n 1", tmp_path, runner)
    assert task.text() == b"MemoryError\n"


def test_the_sandbox_gives_no_way_out(tasks: Tasks, tmp_path: Path, sandbox: Runner) -> None:
    """For root least of all, who could undo it."""
    setting, outside = "/proc/sys/kernel/panic", tmp_path.parent / f"{tmp_path.name}-out"
    tries = [
        "mount -o remount,rw,bind /",
        f"unshare -rm sh -c 'mount -o remount,rw,bind / && touch {outside}'",
        f"cat {setting} > {setting}",
        "ls /dev/sd* /dev/vd* /dev/nvme* /dev/kvm",
        "test -S /run/docker.sock -o -S /run/dbus/system_bus_socket",
        f"kill -0 {os.getpid()}",
    ]
    script = "\n".join(f"if ( {attempt} ) >/dev/null 2>&1; then echo {at}; fi" for at, attempt in enumerate(tries))
    assert run(tasks, script, tmp_path, sandbox).text() == b""


def test_a_command_outlives_the_thread_that_started_it(tasks: Tasks, tmp_path: Path, sandbox: Runner) -> None:
    started: list[Task] = []

    def begin() -> None:
        argv = ["bash", "-c", "sleep 0.4; echo still here"]
        started.append(tasks.start(argv, str(tmp_path), sandbox, command="sleep"))

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    assert started[0].done.wait(20)
    assert started[0].text() == b"still here\n"


def test_closing_ends_all_and_removes_the_outputs(tmp_path: Path) -> None:
    tasks = Tasks()
    task = tasks.start(["sleep", "60"], str(tmp_path), Unconfined(), command="sleep 60")
    directory = Path(task.output).parent
    tasks.close()
    assert task.done.is_set()
    assert not directory.exists()
    with pytest.raises(ToolError, match="ended"):
        tasks.start(["true"], str(tmp_path), Unconfined(), command="true")


def test_a_session_that_is_forgotten_leaves_nothing(tmp_path: Path) -> None:
    tasks = Tasks()
    task = tasks.start(["sleep", "60"], str(tmp_path), Unconfined(), command="sleep 60")
    directory = Path(task.output).parent
    del tasks
    gc.collect()
    assert task.done.is_set()
    assert not directory.exists()
