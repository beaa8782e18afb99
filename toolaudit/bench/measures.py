"""The measures, each a function that gives one line of the table. `MEASURES` is their order."""

from __future__ import annotations

import sys
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson
import tree_sitter
import tree_sitter_bash

from toolaudit.bench import synthetic
from toolaudit.bench.measure import Measure, children, in_turn, peak_memory
from toolaudit.model import Mode, Policy, ToolCall
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.pipeline import decide
from toolaudit.replay import Decider, Settings
from toolaudit.settings import load
from toolaudit.transcripts import RecordedCall
from toolaudit.transcripts.inputs import Input, expand
from toolaudit.transcripts.reading import read

_COMMANDS: Final = synthetic.distinct_commands(1200, seed=7)


def policy(rules: int) -> Policy:
    """A policy of that many rules: nine in ten allow, the rest deny, all of them of commands somebody could mean."""
    programs = [command.split()[0] for command in _COMMANDS]
    words = synthetic.WORDS
    texts = [f"Bash({programs[n % len(programs)]} {words[n % len(words)]}{n} *)" for n in range(rules)]
    return load(
        cli_allow=["Bash(git *)", "Bash(npm run *)", *(text for n, text in enumerate(texts) if n % 10)],
        cli_deny=["Bash(curl *)", *texts[::10]],
        home="/home/user",
        cwd="/srv/shop",
    )


def _decide_all(commands: Sequence[str], policy: Policy) -> Callable[[], None]:
    workspace = UnknownWorkspace("/srv/shop", "/home/user")

    def work() -> None:
        for command in commands:
            decide(ToolCall("Bash", {"command": command}), policy, Mode.DEFAULT, workspace)

    return work


def _parse_all(commands: Sequence[str]) -> Callable[[], None]:
    """The floor: tree-sitter's parse of each command and one walk over its whole tree."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    texts = [command.encode() for command in commands]

    def work() -> None:
        for text in texts:
            cursor = parser.parse(text).walk()
            down = True
            while True:
                if down and cursor.goto_first_child():
                    continue
                if cursor.goto_next_sibling():
                    down = True
                    continue
                if not cursor.goto_parent():
                    break
                down = False

    return work


def deciding(commands: Sequence[str]) -> Callable[[], None]:
    """Deciding each command with full trace under 200 rules."""
    return _decide_all(commands, policy(200))


def decisions(commands: Sequence[str]) -> Measure:
    parse, decided = in_turn([_parse_all(commands), deciding(commands)])
    return Measure(
        "Bash decision with full trace, 200 rules",
        decided / parse,
        6,
        f"tree-sitter's parse and walk, {parse / len(commands) * 1e6:.1f} us a command",
        f"{decided / len(commands) * 1e6:.1f} us a command",
    )


def rules(commands: Sequence[str]) -> Measure:
    few, many = in_turn([_decide_all(commands, policy(20)), _decide_all(commands, policy(1000))])
    return Measure(
        "1,000 rules", many / few, 2, "the same with 20 rules", f"{many / len(commands) * 1e6:.1f} us a command"
    )


def repeated(commands: Sequence[str]) -> Measure:
    """Calls that were decided before, in a replay."""
    with tempfile.TemporaryDirectory() as directory:
        synthetic.write(Path(directory), 200_000)
        calls = [event for event in read([directory]) if isinstance(event, RecordedCall)]
    fixed = policy(200)
    decider = Decider(Settings(lambda root, home: fixed))
    deque(map(decider.record, calls), maxlen=0)
    (spent,) = in_turn([lambda: deque(map(decider.record, calls), maxlen=0)])
    each = spent / len(calls) * 1e6
    return Measure("repeated call in a replay", each / 5, 1, "5 us", f"{each:.1f} us a call")


def replay(commands: Sequence[str]) -> Measure:
    with tempfile.TemporaryDirectory() as directory:
        paths = synthetic.write(Path(directory), 8 << 20)
        floor, spent = in_turn([lambda: _parse_lines(paths), lambda: _replay(directory)], tries=3)
    return Measure(
        "replay of 8 MB of sessions",
        floor / spent,
        0.6,
        f"orjson over the same lines, {floor:.2f} s",
        f"{spent:.2f} s",
        at_least=True,
    )


def recordings(paths: Sequence[str]) -> Measure:
    """Recorded sessions, which unlike made-up ones repeat their calls, hold long results and come in small files."""
    files = [item for item in expand(paths) if isinstance(item, Input)]
    floor, spent = in_turn([lambda: _parse_inputs(files), lambda: _replay(*paths)])
    return Measure(
        "replay of the recordings given",
        floor / spent,
        0.6,
        f"orjson over the same lines, {floor:.2f} s",
        f"{spent:.2f} s",
        at_least=True,
    )


def growth(commands: Sequence[str]) -> Measure:
    with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as large:
        synthetic.write(Path(small), 2 << 20)
        synthetic.write(Path(large), 20 << 20)
        one, ten = in_turn([lambda: _replay(small), lambda: _replay(large)], tries=2)
    return Measure("replay of ten times the input", ten / one, 10.5, f"2 MB, {one:.2f} s", f"{ten:.2f} s")


def _parse_lines(paths: Sequence[Path]) -> None:
    for path in paths:
        with path.open("rb") as lines:
            for line in lines:
                orjson.loads(line)


def _parse_inputs(files: Sequence[Input]) -> None:
    for file in files:
        with file.open() as lines:
            for line in lines:
                with suppress(orjson.JSONDecodeError):  # part of a longer document, or damaged
                    orjson.loads(line)


def _replay(*paths: str) -> None:
    fixed = policy(200)
    decider = Decider(Settings(lambda root, home: fixed))
    for event in read(paths):
        if isinstance(event, RecordedCall):
            decider.record(event)


def check(commands: Sequence[str]) -> Measure:
    one_shot = [sys.executable, "-m", "toolaudit", "check", "git push --force", "--deny", "Bash(git push --force *)"]
    floor, spent = children([[sys.executable, "-c", "pass"], one_shot], tries=11)
    return Measure(
        "one-shot `check`",
        spent / floor,
        5,
        f"`python -c pass`, {floor * 1000:.0f} ms of processor time",
        f"{spent * 1000:.0f} ms",
    )


def length(commands: Sequence[str]) -> Measure:
    """Cost by length: a command four times as long may cost four times as much."""
    fixed = policy(200)
    short, long = ["; ".join(["git log -1"] * 100)], ["; ".join(["git log -1"] * 400)]
    one, four = in_turn([_decide_all(short, fixed), _decide_all(long, fixed)])
    return Measure("a command four times as long", four / one, 4.4, f"{one * 1e3:.1f} ms", f"{four * 1e3:.1f} ms")


def nesting(commands: Sequence[str]) -> Measure:
    fixed = policy(200)
    flat, deep = ["( " * 10 + "ls" + " )" * 10], ["( " * 40 + "ls" + " )" * 40]
    one, four = in_turn([_decide_all(flat * 20, fixed), _decide_all(deep * 20, fixed)])
    return Measure(
        "a command nested four times as deep", four / one, 4.4, f"{one * 5e4:.0f} us", f"{four * 5e4:.0f} us"
    )


def memory(commands: Sequence[str]) -> Measure:
    with tempfile.TemporaryDirectory() as directory:
        small, large = Path(directory, "small"), Path(directory, "large")
        synthetic.write(small, 100 << 20)
        synthetic.write(large, 1000 << 20, file_size=64 << 20)
        command = [sys.executable, "-m", "toolaudit", "replay", "--deny", "Bash(curl *)", "--jobs", "1"]
        one, ten = (peak_memory([*command, str(folder)]) for folder in (small, large))
    return Measure("peak memory, 1 GB of sessions", ten / one, 1.2, f"100 MB, {one >> 20} MB", f"{ten >> 20} MB")


MEASURES: Final[tuple[Callable[[Sequence[str]], Measure], ...]] = (
    decisions,
    rules,
    repeated,
    replay,
    growth,
    check,
    length,
    nesting,
)
LONG: Final[tuple[Callable[[Sequence[str]], Measure], ...]] = (memory,)
"""Measures that take minutes."""


def recorded_commands(paths: Sequence[str]) -> list[str]:
    """The distinct shell commands of recorded sessions."""
    found: dict[str, None] = {}
    for event in read(paths):
        if isinstance(event, RecordedCall) and event.call.tool == "Bash":
            command = event.call.input.get("command")
            if isinstance(command, str):
                found.setdefault(command)
    return list(found)


def versions() -> dict[str, str]:
    """What the figures hang on besides the machine."""
    from importlib.metadata import version

    return {
        "python": sys.version.split()[0],
        **{name: version(name) for name in ("tree-sitter", "tree-sitter-bash", "msgspec", "orjson")},
    }
