"""The oracle reports each program bash starts, and says so where it can't be sure that it saw all."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from toolaudit.fuzz.oracle import Oracle, OracleUnavailable, build, session, shell

PR_CAPBSET_DROP = 24
CAP_SYS_ADMIN = 21

PROGRAMS = [
    ("ls -l /x", ["ls -l /x"]),
    ("git status && git push", ["git status", "git push"]),
    ("/bin/rm -rf /", ["/bin/rm -rf /"]),
    ("exec -a harmless rm -rf /", ["rm -rf /"]),
    ("command rm x; exec id", ["rm x", "id"]),
    ("exec ./x/rm a", ["./x/rm a"]),
    ("cd /; exec -a x/rm bin/ls a", ["/bin/ls a"]),
    ("x=$(id -u); echo $x; ls $x", ["id -u", "ls w1"]),
    ("(ls & wait); { id; }", ["ls", "id"]),
    ("coproc id; wait", ["id"]),
    ("f() { id; }; f; f", ["id", "id"]),
    ("read x < <(id); ls $x", ["id", "ls w1"]),
    ("PATH=/nowhere; rm x", ["rm x"]),
    ("unset -f command_not_found_handle; PATH=/nowhere; rm x", ["rm x"]),
    ("command_not_found_handle() { :; }; PATH=/nowhere; rm x", ["rm x"]),
    ("unset PATH; rm x", ["rm x"]),
    ("hash -p /bin/rm ls; ls x", ["/bin/rm x"]),
    ("exec 1>&- 2>&- 0<&-; ls", ["ls"]),
    ("ulimit -n 0; ls", ["ls"]),
    ("echo 'rm x' > f; . ./f", ["rm x"]),
    ("git status\n\\rm -rf /", ["git status", "rm -rf /"]),
    ("ls \u00a0x \u00e9", ["ls \u00a0x \u00e9"]),
    ("echo builtins only", []),
    ("if ls", []),
]


@pytest.mark.parametrize(("text", "programs"), PROGRAMS, ids=[text for text, _ in PROGRAMS])
def test_every_program_is_recorded(oracle: Oracle, text: str, programs: list[str]) -> None:
    run = oracle.run(text)
    assert sorted(b" ".join(program).decode() for program in run.programs) == sorted(programs)
    assert run.doubtful is None


def test_programs_succeed_or_fail_as_wished(oracle: Oracle) -> None:
    text = "ls && id || wc"
    assert oracle.run(text, succeed=True).programs == ((b"ls",), (b"id",))
    assert oracle.run(text, succeed=False).programs == ((b"ls",), (b"wc",))


@pytest.mark.parametrize("text", ["while ls; do :; done", "until ls; do :; done"])
def test_loop_over_a_status_ends(oracle: Oracle, text: str) -> None:
    assert all(oracle.run(text, succeed).doubtful is None for succeed in (True, False))


def test_exit_status(oracle: Oracle) -> None:
    assert [oracle.run(text).status for text in ("exit 7", "if", "kill -TERM $$")] == [7, 2, -15]


def test_nothing_is_left_for_the_next_command(oracle: Oracle) -> None:
    oracle.run("x=1; echo > f; cd /")
    assert oracle.run("see $x * $PWD").programs == ((b"see", b"*", b"/work"),)


def test_an_interrupted_run_is_not_told_of_later(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(session, "_await", interrupted)
        with pytest.raises(KeyboardInterrupt):
            oracle.run("first")
    assert oracle.run("second").programs == ((b"second",),)


def test_the_script_sees_no_trace_of_the_library(oracle: Oracle) -> None:
    run = oracle.run('see "$LD_PRELOAD" "$BASH_ENV" /proc/self/fd/[3-9]*')
    assert run.programs[0][1:3] == (b"", b"")


@pytest.mark.parametrize("text", ["ls \0", "x" * (session.TEXT_BYTES_MAX + 1), "\ud800"], ids=["nul", "long", "utf-8"])
def test_text_that_is_no_argument(oracle: Oracle, text: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|surrogates"):
        oracle.run(text)


def test_doubt_has_its_reason(oracle: Oracle) -> None:
    reasons = {
        "while :; do :; done": "it ran out of time",
        "while :; do ls; done": "it started too many programs",
        "ls " + " ".join(["x" * 1000] * 200) + "\nfor i in 1 2 3 4 5 6 7 8 9; do ls $(printf '%0200000d' 1); done": (
            "its records did not fit"
        ),
        "kill -SEGV $$; ls": "a process died of a signal",
        "(kill -KILL $BASHPID); :": "a process died of a signal",
        "ulimit -u 1; ls; ls": "it ran out of time and a process or a pipe could not be made",
    }
    assert {text: oracle.run(text).doubtful for text in reasons} == reasons
    # Which limit comes first hangs on how busy the machine is.
    bomb = oracle.run("x=aaaaaaaa; while :; do x=$x$x; done; ls").doubtful
    assert bomb in ("it ran out of memory", "it ran out of time")


def test_without_capability_a_user_namespace_serves() -> None:
    code = (
        "from toolaudit.fuzz.oracle import Oracle\n"
        "with Oracle() as oracle: print(oracle.run('ls x; while :; do : ; done'), oracle.run('echo $EUID>f; ls * 1'))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        preexec_fn=drop_sys_admin,
        capture_output=True,
        text=True,
        check=False,
    )
    if "user namespaces" in result.stderr:
        pytest.skip(result.stderr.splitlines()[-1])
    first = "Run(programs=((b'ls', b'x'),), status=-9, doubtful='it ran out of time')"
    second = "Run(programs=((b'ls', b'f', b'1'),), status=0, doubtful=None)"
    assert result.stdout == f"{first} {second}\n", result.stderr


def drop_sys_admin() -> None:
    """What root may not regain: CAP_SYS_ADMIN. An ordinary user had none to drop."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0)


def test_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(OracleUnavailable, match="no C compiler; install one"):
        build.shim()


def test_compiler_without_headers_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho no stdio.h >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(OracleUnavailable, match=r"can't compile .*no stdio.h.*libc6-dev"):
        build.shim()


def test_missing_bash_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OracleUnavailable, match="no bash; install"):
        shell.find()


def test_static_bash_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = build.compiler()
    if command is None:
        pytest.skip("no C compiler")
    source = tmp_path / "nothing.c"
    source.write_text("void _start(void) { __builtin_trap(); }\n")
    subprocess.run([command, "-static", "-nostdlib", "-o", tmp_path / "bash", source], check=True)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OracleUnavailable, match="not linked dynamically"):
        shell.find()


def test_refused_namespaces_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refusing = tmp_path / "jail.py"
    refusing.write_text("import sys; sys.exit('unshare namespaces: Operation not permitted')")
    monkeypatch.setattr(session, "JAIL", refusing)
    with pytest.raises(OracleUnavailable, match=r"unshare namespaces: Operation not permitted.*user namespaces"):
        Oracle()
