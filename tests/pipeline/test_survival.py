"""Tools and hooks that misbehave: every call has a named outcome, nothing is lost, no process stays behind."""

from __future__ import annotations

import os
import secrets
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.conftest import Session, call, make_tool, note, text
from tests.pipeline.test_hooks import live, needs_sandbox
from toolaudit.model import Behavior
from toolaudit.pipeline.live import Services, run_call
from toolaudit.tools.context import AbortSignal
from toolaudit.tools.interface import ToolError, ToolResult


class Odd(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (ValueError("secret"), "ValueError"),
        (ToolError("File has been modified", "stale_file"), "stale_file"),
        (FileNotFoundError(2, "secret"), "ENOENT"),
        (SystemExit(3), "SystemExit"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (Odd("secret"), "BaseException"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "MemoryError"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else value,
)
def test_a_tool_that_raises(error: BaseException, named: str, session: Session) -> None:
    def fail(*given: Any) -> Any:
        raise error

    outcome = run_call(call(), session(make_tool(call=fail)))
    assert outcome.executed
    assert outcome.ended_by == "execution"
    assert outcome.error_class == named
    assert outcome.block is not None
    assert outcome.block["is_error"]


def test_a_tool_that_hangs_is_left_behind(session: Session) -> None:
    release = threading.Event()
    tool = make_tool(call=lambda *given: release.wait(60))
    outcome = run_call(call(), session(tool), Services(call_seconds=0.2))
    release.set()
    assert outcome.error_class == "timeout"
    assert "0.2 seconds" in text(outcome)


def test_an_interruption_reaches_a_tool_that_runs(session: Session) -> None:
    signal, began = AbortSignal(), threading.Event()

    def work(given: Any, context: Any, progress: Any) -> ToolResult[str]:
        began.set()
        if not context.abort.wait(20):
            return ToolResult("it was never told")
        raise ToolError("stopped half way", "aborted")

    threading.Thread(target=lambda: (began.wait(), signal.abort("")), daemon=True).start()
    outcome = run_call(call(), session(make_tool(call=work), abort=signal))
    assert outcome.error_class == "aborted"
    assert text(outcome) == "stopped half way"


def test_a_tool_that_does_not_heed_an_interruption_is_left_behind(session: Session) -> None:
    signal, began, release = AbortSignal(), threading.Event(), threading.Event()

    def work(*given: Any) -> Any:
        began.set()
        release.wait(60)

    threading.Thread(target=lambda: (began.wait(), signal.abort("")), daemon=True).start()
    outcome = run_call(call(), session(make_tool(call=work), abort=signal))
    release.set()
    assert outcome.error_class == "aborted"


def test_a_tool_that_returns_200_megabytes(session: Session, tmp_path: Path) -> None:
    outcome = run_call(call(), session(make_tool(call=lambda *given: ToolResult("x" * 200_000_000))))
    assert outcome.executed
    assert len(text(outcome)) < 3000
    assert "Output too large (190.7MB). The first 64MB of it saved to: " in text(outcome)
    (kept,) = (tmp_path / "results").iterdir()
    assert str(kept) in text(outcome)
    assert kept.stat().st_size == 64 << 20


def test_a_failure_with_a_message_of_megabytes(session: Session) -> None:
    def fail(*given: Any) -> Any:
        raise ToolError("begin" + "x" * 5_000_000 + "end")

    content = text(run_call(call(), session(make_tool(call=fail))))
    assert len(content) < 11_000
    assert content.startswith("begin")
    assert content.endswith("end")


def test_a_result_that_is_no_result(session: Session) -> None:
    outcome = run_call(call(), session(make_tool(call=lambda *given: 5)))
    assert outcome.error_class == "AttributeError"
    assert outcome.block is not None


def test_a_directory_that_takes_no_results(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tool = make_tool(call=lambda *given: ToolResult("x" * 100_000))
    outcome = run_call(call(), session(tool, options={"results_directory": str(tmp_path / "file")}))
    assert outcome.executed
    assert "can't be kept" in note(outcome, "budget")
    assert len(text(outcome)) < 3000


def left(mark: str) -> list[str]:
    """Processes whose command line or environment holds `mark`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return [pid for pid in found if int(pid) != os.getpid()]


@needs_sandbox
@pytest.mark.parametrize(
    ("script", "named", "executed"),
    [
        ("echo garbage; echo {", "no JSON object", True),
        ("head -c 100 /dev/urandom", "no JSON object", True),
        ("echo '[1, 2]'", "no JSON object", True),
        ("exit 2", "said deny", False),
        ("sleep 300", "longer than 1 seconds", True),
        ("yes", "printed more than", True),
        ("yes >&2", "printed more than", True),
        ("kill -9 $$", "exited with code 137", True),
        ("setsid sleep 300 & sleep 300 & disown -a; echo '{}'", "left it alone", True),
        ("exec 1>&- 2>&-; sleep 300", "longer than 1 seconds", True),
    ],
    ids=["garbage", "bytes", "list", "exit 2", "hangs", "floods", "floods stderr", "dies", "leaves children", "closes"],
)
def test_a_hook_that_misbehaves(script: str, named: str, executed: bool, session: Session) -> None:
    mark = f"hook{secrets.token_hex(6)}"
    hook = {"type": "command", "command": f": {mark}; {script}", "timeout": 1}
    outcome = live(session, hook)
    assert named in note(outcome, "pre_hooks")
    assert outcome.executed is executed
    assert [entry.stage for entry in outcome.trace][-1] == "errors"
    assert not left(mark)


@needs_sandbox
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "PostToolUse"])
def test_a_hook_that_misbehaves_loses_no_result(event: str, session: Session) -> None:
    outcome = live(session, {"type": "command", "command": "sleep 300", "timeout": 1}, event=event)
    assert outcome.executed
    assert text(outcome) == "x"


def test_hooks_that_raise_end_the_call_where_they_stand(session: Session) -> None:
    class Broken:
        def hear(self, *given: Any) -> Any:
            raise ValueError("secret")

    outcome = run_call(call(), session(make_tool()), Services(hooks=Broken()))
    assert outcome.ended_by == "pre_hooks"
    assert outcome.behavior is Behavior.DENY
    assert "secret" not in text(outcome)
