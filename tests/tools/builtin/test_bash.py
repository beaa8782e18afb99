"""Bash: real commands in the sandbox; texts, codes and directories as measured."""

from __future__ import annotations

import base64
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.structs import replace
from toolaudit.tools import command_words
from toolaudit.tools.builtin import bash, read
from toolaudit.tools.builtin.bash import BashInput
from toolaudit.tools.effects.commands import Refusing
from toolaudit.tools.interface import ToolError
from toolaudit.tools.sed_preview import preview

BASH = bash.TOOL
NOTHING = "(Bash completed with no output)"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("echo out; echo err >&2", "out\nerr"),
        ("true", NOTHING),
        ("", NOTHING),
        (r"printf '  \n\n  lead\n\n'", "  lead"),
        ("cat", NOTHING),
        ("read x; echo got $x", "got"),
        ("grep nothere file", NOTHING),
        ("diff file other >/dev/null", NOTHING),
        ("if true; then echo 1; fi; test -f nope", "1"),
        ("[ 1 = 2 ]", NOTHING),
        ("echo '{directory}' $#", "{directory} 0"),
        ("echo $CLAUDECODE $GIT_EDITOR $TERM", "1 true dumb"),
    ],
)
def test_what_succeeds(shell: Bench, command: str, shown: str) -> None:
    shell.file("file", "x\n")
    shell.file("other", "y\n")
    assert shell.run(BASH, command=command) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("echo out; echo err >&2; exit 2", "Exit code 2\nout\nerr"),
        ("false", "Exit code 1"),
        ("grep x file; false", "Exit code 1\nx"),
        ("grep x nothere", "Exit code 2\ngrep: nothere: No such file or directory"),
        ("kill -9 $$", "Exit code 137"),
    ],
)
def test_what_fails(shell: Bench, command: str, shown: str) -> None:
    shell.file("file", "x\n")
    assert str(shell.fail(BASH, command=command)) == shown


def test_a_long_failure_is_told_from_its_beginning(shell: Bench) -> None:
    text = str(shell.fail(BASH, command="seq 1 20000; exit 3"))
    assert text.startswith("Exit code 3\n1\n2\n")
    assert len(text) == len("Exit code 3\n") + 30_000


def test_output_is_whole_up_to_what_is_kept(shell: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(shell.run(BASH, command="head -c 200000 /dev/zero | tr '\\0' x")) == 200_000
    assert BASH.max_result_size_chars == 30_000


@pytest.mark.parametrize(
    ("commands", "last"),
    [
        (["cd sub && true", "pwd"], "{root}/sub"),
        (["cd sub; false", "pwd"], "{root}"),
        (["cd sub; exit 0", "pwd"], "{root}"),
        (["cd sub", "cd /", "pwd"], "{root}"),
        (["cd sub", "cd ../sub/..", "pwd"], "{root}"),
        (["X=5; f() { :; }; cd sub", "echo $X $(type -t f) $(pwd)"], "{root}/sub"),
    ],
    ids=["followed", "failed", "exited", "outside", "back", "nothing else stays"],
)
def test_the_directory_between_commands(shell: Bench, commands: list[str], last: str) -> None:
    shell.file("sub/x.txt", "")
    for command in commands[:-1]:
        with suppress(ToolError):
            shell.run(BASH, command=command)
    assert shell.run(BASH, command=commands[-1]) == last.format(root=shell.root)


def test_leaving_the_working_directories_is_said(shell: Bench) -> None:
    assert shell.run(BASH, command="cd /; pwd") == f"/\nShell cwd was reset to {shell.root}"
    (shell.root / "out").symlink_to("/usr")
    assert shell.run(BASH, command="cd out") == f"Shell cwd was reset to {shell.root}"


def test_file_tools_follow_the_directory(shell: Bench) -> None:
    shell.file("sub/x.txt", "here")
    shell.run(BASH, command="cd sub")
    assert shell.run(read.TOOL, file_path="x.txt") == "1\there"
    assert read.TOOL.backfill({"file_path": "x.txt"}, shell.context) == {"file_path": f"{shell.root}/sub/x.txt"}


def test_only_the_workspace_can_be_written(shell: Bench) -> None:
    shell.fail(BASH, command="echo x > /etc/toolaudit-test")
    assert not Path("/etc/toolaudit-test").exists()
    shell.run(BASH, command="echo x > inside; echo y > /tmp/between")
    assert (shell.root / "inside").read_text() == "x\n"
    assert shell.run(BASH, command="cat /tmp/between") == "y"


def test_time_is_up(shell: Bench) -> None:
    assert str(shell.fail(BASH, command="sleep 20", timeout=1000)) == "Exit code 143\nCommand timed out after 1s"
    assert not shell.context.tasks.running()
    shown = shell.run(BASH, command="echo hi; sleep 20; echo no", timeout=500)
    assert shown.startswith("Command did not complete within its 0s timeout and was moved to the background (ID: b")
    (task,) = shell.context.tasks.running()
    deadline = time.monotonic() + 10
    while not task.text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert task.text() == b"hi\n"
    assert task.deadline < time.monotonic() + 1801


def test_background(shell: Bench) -> None:
    shown = shell.run(BASH, command="echo bg; cd /; exit 3", run_in_background=True)
    task = shell.context.tasks.get(shown.split("ID: ")[1].split(".")[0])
    assert task is not None
    assert task.done.wait(10)
    assert (task.text(), task.code, task.status) == (b"bg\n", 3, "failed")
    assert shell.context.cwd == str(shell.root)


def test_an_interruption_ends_the_command(shell: Bench) -> None:
    threading.Timer(0.3, lambda: shell.context.abort.abort("user")).start()
    began = time.monotonic()
    assert shell.fail(BASH, command="sleep 21 & sleep 21; echo no").code == "aborted"
    assert time.monotonic() - began < 10
    assert not shell.context.tasks.running()


def test_without_a_sandbox_nothing_runs(bench: Bench) -> None:
    bench.options(runner=Refusing())
    assert bench.fail(BASH, command="touch made").code == "no_sandbox"
    assert not (bench.root / "made").exists()


@pytest.mark.parametrize("form", ["cat image", "echo data:image/jpeg\\;base64,$(base64 -w0 image)"], ids=["raw", "URI"])
def test_images_are_told_by_their_first_bytes(shell: Bench, form: str) -> None:
    shell.file("image", PNG)
    (image,) = shell.run(BASH, command=form)
    assert image["source"] == {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}


@pytest.mark.parametrize("text", ["data:image/png;base64,bm90IGE=", "data:image/png;base64,%%%", "PNG"])
def test_what_only_looks_like_an_image_is_text(shell: Bench, text: str) -> None:
    assert shell.run(BASH, command=f"echo '{text}'") == text


@pytest.mark.parametrize(
    ("command", "read_only", "beside"),
    [
        ("ls -la", True, True),
        ("rm -rf build", False, False),
        ("cat a | grep b | wc -l", True, True),
        ("echo hi", True, True),
        ("echo hi && ls", True, True),
        ("echo hi && make", False, False),
        ("printf '%s' x; git status", True, True),
        ("echo hi > file", False, False),
        ("ls 2>/dev/null", True, True),
        ("ls 2>&1", True, True),
        ("cd sub && ls", True, False),
        ("git push", False, False),
        ("ls &", False, False),
        ("X=1 ls", False, False),
        ("echo $(rm x)", False, False),
        ("eval ls", False, False),
        ("", False, False),
    ],
)
def test_what_only_reads(command: str, read_only: bool, beside: bool) -> None:
    given = BashInput(command=command)
    assert (BASH.is_read_only(given), BASH.is_concurrency_safe(given)) == (read_only, beside)


def test_what_can_not_be_undone() -> None:
    assert BASH.is_destructive(BashInput(command="ls && rm x"))
    assert not BASH.is_destructive(BashInput(command="mkdir rm"))


@pytest.mark.parametrize(
    ("command", "blocked"),
    [
        ("sleep 24", None),
        ("sleep 24.9; echo a", None),
        ("sleep 25", "standalone sleep 25"),
        ("sleep 30;", "standalone sleep 30"),
        ("sleep 30 && echo a", "sleep 30 followed by: echo a"),
        ("sleep 30\necho a", "sleep 30 followed by: echo a"),
        ("sleep 30 & echo a", "sleep 30 followed by: echo a"),
        ("sleep 29.9 | cat", "sleep 29.9 followed by: cat"),
        ("sleep 30s", None),
        ("sleep 30 30", None),
        ("sleep '30'", None),
        ("X=1 sleep 30", None),
        ("{ sleep 30; }", None),
        ("true; sleep 30", None),
    ],
)
def test_long_sleeps(bench: Bench, command: str, blocked: str | None) -> None:
    told = BASH.validate_input(BashInput(command=command), bench.context)
    assert told is None if blocked is None else told is not None and told.startswith(f"Blocked: {blocked}.")
    assert BASH.validate_input(BashInput(command=command, run_in_background=True), bench.context) is None
    bench.set_version("2.1.240")
    assert BASH.validate_input(BashInput(command=command), bench.context) is None


@pytest.mark.parametrize(
    ("command", "answers"),
    [
        *((f"{name} x", True) for name in sorted(command_words.BENIGN)),
        ("git log", False),
        ("git diff && make", False),
        ("grep x y | cat", False),
        ("", False),
    ],
)
def test_exit_code_1_may_be_an_answer(command: str, answers: bool) -> None:
    assert command_words.fails_benignly(command) is answers


def test_a_sed_edit_is_applied_as_previewed(shell: Bench) -> None:
    path = shell.file("a.txt", "one\r\ntwo\r\n")
    command = "sed -i s/one/1/ a.txt"
    edit = preview(command, shell.context)
    assert edit is not None
    assert (edit.path, edit.before, edit.after) == (path, "one\ntwo\n", "1\ntwo\n")
    assert Path(path).read_bytes() == b"one\r\ntwo\r\n"
    Path(path).write_bytes(b"one\r\nchanged\r\n")
    shell.options(runner=Refusing())
    given = BashInput(command=command).with_preview(edit)
    assert BASH.call(given, shell.context, lambda progress: None).data.output == ""
    assert Path(path).read_bytes() == b"1\r\ntwo\r\n"


@pytest.mark.parametrize(
    "command",
    [
        *("sed s/a/b/ a.txt", "sed -i s/a/b/ a.txt b.txt", "sed -i s/a/b/ a.txt && rm x", "sed -i s/a/b/e a.txt"),
        *("sed -i s/a/b/ nothere", "X=1 sed -i s/a/b/ a.txt", "sed -i s/a/b/ $F", "perl -i -pe 1 a.txt"),
    ],
)
def test_no_preview_of_anything_else(shell: Bench, command: str) -> None:
    shell.file("a.txt", "a")
    assert preview(command, shell.context) is None


def test_no_input_can_claim_a_preview() -> None:
    for name in ("_simulated_sed_edit", "_simulatedSedEdit"):
        with pytest.raises(ValueError, match=name):
            BashInput.model_validate({"command": "ls", name: {"path": "a", "before": "", "after": "x"}})
    assert "simulated" not in str(BASH.schema()).lower()


def test_progress_is_told(shell: Bench) -> None:
    news: list[dict[str, object]] = []
    BASH.call(BashInput(command="echo x; sleep 0.3"), shell.context, news.append)
    assert news
    assert news[-1]["bytes"] == 2


def test_additional_directories_are_working_directories(shell: Bench, tmp_path: Path) -> None:
    from toolaudit.model import Directory, Policy, Scope, Source

    extra = tmp_path / "extra"
    extra.mkdir()
    policy = Policy(directories=(Directory(str(extra), Source(Scope.USER, "")),))
    shell.context = replace(shell.context, permissions=replace(shell.context.permissions, policy=policy))
    shell.run(BASH, command=f"cd {extra} && echo x > file")
    assert (extra / "file").exists()
    assert shell.context.cwd == str(extra)
