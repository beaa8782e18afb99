"""Searching a directory for files and texts: by ripgrep where it is installed, else by a slower program of our own.

Both are asked the same question, answer in the same form, run as a process of their own and are ended when time is up:
no pattern can hold up more than itself.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects.commands import Unconfined
from toolaudit.tools.effects.plain_search import COLUMNS_MAX, VERSION_CONTROL
from toolaudit.tools.interface import ToolError

SECONDS: Final = 20.0
"""For which one search may run."""

ANSWER_BYTES_MAX: Final = 16 << 20
"""How much of an answer is read."""

Mode = Literal["files", "content", "files_with_matches", "count"]


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for, in a directory or a file. No link is followed."""

    root: str
    mode: Mode
    pattern: str = ""
    """A regular expression; for the mode `files` there is none."""
    globs: tuple[str, ...] = ()
    kind: str = ""
    """A type of file by ripgrep's name for it."""
    ignore_case: bool = False
    multiline: bool = False
    numbers: bool = True
    before: int = 0
    after: int = 0
    all_files: bool = False
    """Those that `.gitignore` files name, too."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an answer."""

    path: str
    """Absolute; empty for the line between two groups of lines."""
    text: str
    """What stands in it, after its number; a count; empty for a file."""


def search(query: Query, context: ToolUseContext) -> list[Line]:
    """The answer, by path. Raises ToolError where the query is wrong, time is up, or an interruption came."""
    program = find_ripgrep()
    argv = _ripgrep(query, program) if program else _plain(query)
    root = Path(query.root)
    directory = str(root if root.is_dir() else root.parent)
    task = context.tasks.start(argv, directory, Unconfined(), command="search", environment={"PYTHONPATH": _own_path()})
    deadline = time.monotonic() + SECONDS
    try:
        while not task.done.wait(0.02):
            if context.abort.aborted:
                raise ToolError("[Request interrupted by user for tool use]", "aborted")
            if time.monotonic() > deadline:
                raise ToolError(f"The search took more than {SECONDS:g} seconds. Search less.", "timeout")
        answer = task.text(0, ANSWER_BYTES_MAX)
        # 0: found, 1: nothing found, 2: something was wrong, perhaps beside what was found.
        if task.code not in (0, 1) and b"\0" not in answer:
            raise ToolError(answer.decode(errors="replace").strip() or "The search failed.", "bad_search")
        return list(_lines(answer))
    finally:
        task.stop()
        context.tasks.forget(task)


@lru_cache(maxsize=1)
def find_ripgrep() -> str | None:
    """The ripgrep of this system, or None."""
    return shutil.which("rg")


def _ripgrep(query: Query, program: str) -> list[str]:
    argv = [program, "--no-config", "--no-messages", "--hidden", "--null", "--color=never", "--sort=path"]
    argv += ["--no-ignore"] if query.all_files else ["--no-require-git"]
    for glob in (*query.globs, *(f"!{folder}" for folder in VERSION_CONTROL)):
        argv += ["--glob", glob]
    if query.kind:
        argv += ["--type", query.kind]
    if query.mode == "files":
        return [*argv, "--files", "--", query.root]
    argv += {
        "content": ["--with-filename", "--no-heading", f"--max-columns={COLUMNS_MAX}"],
        "files_with_matches": ["--files-with-matches"],
        "count": ["--count", "--with-filename"],
    }[query.mode]
    if query.mode == "content":
        argv += ["--line-number"] if query.numbers else ["--no-line-number"]
        argv += [f"--before-context={query.before}", f"--after-context={query.after}"]
    argv += ["--ignore-case"] * query.ignore_case + ["--multiline", "--multiline-dotall"] * query.multiline
    return [*argv, "--regexp", query.pattern, "--", query.root]


def _plain(query: Query) -> list[str]:
    # -P: no module of the workspace may stand in for one of ours.
    return [sys.executable, "-P", "-m", "toolaudit.tools.effects.plain_search", json.dumps(asdict(query))]


def _own_path() -> str:
    return os.pathsep.join(path for path in sys.path if path.startswith("/"))


def _lines(answer: bytes) -> Iterator[Line]:
    """An answer is lines of `path NUL text`, or of paths that end with NUL where there is no text."""
    if b"\n" not in answer:
        yield from (Line(os.fsdecode(path), "") for path in answer.split(b"\0") if path)
        return
    for line in answer.removesuffix(b"\n").split(b"\n"):
        path, separator, text = line.partition(b"\0")
        if separator:
            yield Line(os.fsdecode(path), text.decode(errors="replace").rstrip("\r"))
        elif line == b"--":
            yield Line("", "--")


def shown(paths: Sequence[str], context: ToolUseContext) -> list[str]:
    """Paths as the model sees them: relative to the working directory where they are below it."""
    prefix = context.cwd.rstrip("/") + "/"
    return [path.removeprefix(prefix) for path in paths]
