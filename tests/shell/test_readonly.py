"""Read-only commands and the words in them that are paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.shell import read
from toolaudit.shell.path_operands import path_operands
from toolaudit.shell.reading import Shape, Word
from toolaudit.shell.readonly import read_only
from toolaudit.shell.readonly.programs import PROGRAMS, SUBCOMMANDS

ROWS = Path(__file__).parent / "readonly_rows.txt"
MIN_AGREEMENT = 0.995


def rows() -> list[tuple[str, str]]:
    lines = ROWS.read_text().splitlines()
    return [(line[:1], line[2:]) for line in lines if line and not line.startswith("#")]


def is_read_only(command: str) -> bool:
    reading = read(command)
    return reading.complexity is None and all(read_only(part.argv) is None for part in reading.commands)


@pytest.mark.parametrize(("verdict", "command"), rows(), ids=[command for _, command in rows()])
def test_row(verdict: str, command: str) -> None:
    assert is_read_only(command) is (verdict == "+")


def test_each_program_has_a_row() -> None:
    commands = [command.split() for _, command in rows()]
    named = {words[0] for words in commands} | {" ".join(words[:2]) for words in commands}
    missing = [name for name in PROGRAMS if name not in named]
    missing += [
        f"{name} {sub}" for name, subs in SUBCOMMANDS.items() for sub in subs if f"{name} {sub.split()[0]}" not in named
    ]
    assert missing == []


def test_recorded_programs(shared: Path) -> None:
    """What the client decided about some 300 programs, none of them under a rule."""
    folder = shared / "conformance"
    decisions = {}
    for line in (folder / "programs.decisions.jsonl").read_text().splitlines():
        record = json.loads(line)
        decisions[record["id"]] = record["decision"]
    compared = 0
    differing = []
    for line in (folder / "programs.cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        if "defaults" in case or decisions[case["id"]] not in ("allow", "ask"):
            continue
        command = case["input"]["command"]
        compared += 1
        if (is_read_only(command) and not leaves(command)) is not (decisions[case["id"]] == "allow"):
            differing.append(command)
    assert compared > 1_000
    assert len(differing) <= (1 - MIN_AGREEMENT) * compared, differing


def leaves(command: str) -> bool:
    """Whether the command writes to a path, or reads one that is plainly outside the working directory."""
    operands = [operand for part in read(command).commands for operand in path_operands(part.argv)]
    return any(operand.operation != "read" or operand.word.text.startswith(("/", "~")) for operand in operands)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat one two", "read one, read two"),
        ("cat -n one -- -two", "read one, read -two"),
        ("head -n 5 notes.md", "read 5, read notes.md"),
        ("cut -d : -f 2 notes.md", "read notes.md"),
        ("cut -sd : notes.md", "read notes.md"),
        ("paste --delimiters , one two", "read one, read two"),
        ("grep -n TODO one two", "read one, read two"),
        ("grep -e TODO one", "read one"),
        ("grep -f words one", "read words, read one"),
        ("grep --file=words one", "read words, read one"),
        ("grep -m 2 TODO one", "read one"),
        ("grep --exclude-from skip TODO one", "read skip, read one"),
        ("rg -t py TODO docs", "read docs"),
        ("rg --ignore-file=skip TODO", "read skip"),
        ("jq --arg a .b notes.json", "read notes.json"),
        ("awk -F : '{print}' one", "read one"),
        ("find docs src -name '*.md'", "read docs, read src"),
        ("find . -newer one", "read ., read one"),
        ("sed -n 2p one", "read one"),
        ("sed s/x/y/ one", "read one, write one"),
        ("sed -i -e s/x/y/ one", "read one, write one"),
        ("sed s/x/y/ -n", "read -n, write -n"),
        ("sed -- s/x/y/ -n", "read -n, write -n"),
        ("git diff main one", "read main, read one"),
        ("git grep TODO docs", "read docs"),
        ("git log one", ""),
        ("cd", "read ~"),
        ("cd docs", "read docs"),
        ("cd -", ""),
        ("touch one", "create one"),
        ("mkdir -p one/two", "create one/two"),
        ("rm -rf one", "write one"),
        ("mv one two", "read one, write one, write two"),
        ("cp one two three", "read one, read two, write one, write two, write three"),
        ("cp one", "write one"),
        ("cut one -d two", "read one, read two"),
        ("cut --wrong -d two", "read two"),
        ("git -C docs diff one /two", "read docs/one, read /two"),
        ("git -C docs grep TODO", "read docs"),
        ("git --work-tree=docs -c a=b diff one", "read docs/one"),
        ("man one", ""),
        ("man ./one", "read ./one"),
        ("jq --slurpfile a one .", "read one"),
        ("find . -- -x one", "read ., read one"),
        ("cd docs src", ""),
        ("tee -a one", "write one"),
        ("df one", ""),
        ("echo one", ""),
        ("$program one", ""),
    ],
)
def test_path_operands(command: str, expected: str) -> None:
    operands = path_operands(read(command).commands[0].argv)
    assert ", ".join(f"{operand.operation} {operand.word.text}" for operand in operands) == expected


ARGUMENTS = st.sampled_from(
    [
        "-",
        "--",
        "-a",
        "-n",
        "-n5",
        "--all",
        "--format=%H",
        "--format",
        "=",
        "",
        "5",
        "a.txt",
        "/",
        "~",
        "{a,b}",
        "$x",
        "\n",
    ]
)


@given(st.sampled_from([*PROGRAMS, "git", "docker"]), st.lists(ARGUMENTS | st.text(max_size=6), max_size=6))
def test_any_words_are_judged(program: str, arguments: list[str]) -> None:
    argv = [Word(text, Shape.STATIC, text, (0, 0)) for text in (program, *arguments)]
    why = read_only(argv)
    assert why is None or why
    assert {operand.operation for operand in path_operands(argv)} <= {"read", "write", "create"}


@given(st.sampled_from(sorted(SUBCOMMANDS["git"])), st.lists(ARGUMENTS, max_size=4))
def test_an_option_before_the_subcommand_is_never_read_only(subcommand: str, arguments: list[str]) -> None:
    texts = ("git", "-C", "docs", *subcommand.split(), *arguments)
    assert read_only([Word(text, Shape.STATIC, text, (0, 0)) for text in texts]) is not None
