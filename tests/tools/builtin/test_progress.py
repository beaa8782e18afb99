"""What tools tell of their work while it goes on, each in its own kind of news."""

from __future__ import annotations

from typing import Any

from tests.tools.builtin.conftest import Bench
from toolaudit.tools.builtin import bash, grep


def test_bash_tells_how_much_was_put_out(shell: Bench) -> None:
    news: list[Any] = []
    bash.TOOL.call(bash.BashInput(command="echo hello; sleep 0.5"), shell.context, news.append)
    assert news[-1]["bytes"] == len("hello\n")


def test_grep_tells_how_many_matches_there_are(bench: Bench) -> None:
    news: list[Any] = []
    bench.file("a.txt", "x\nx\n")
    grep.TOOL.call(grep.GrepInput(pattern="x", output_mode="content"), bench.context, news.append)
    assert news == [{"matches": 2}]
