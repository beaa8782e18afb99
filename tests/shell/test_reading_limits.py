"""Hostile texts end in a reading, whatever their size and depth."""

from __future__ import annotations

import subprocess
import sys

import pytest

from toolaudit.shell import read
from toolaudit.shell.text import MAX_BYTES, MAX_OPERATORS

DEEP = [
    "$(",
    '"$(',
    "( ",
    "{ ",
    "if ",
    "while ",
    "${x:-",
    '"${x:-',
    "$((",
    "<(",
    "f() { ",
    "[[ ( ",
    "a=(",
    "case x in a) ",
]


@pytest.mark.parametrize("opening", DEEP)
def test_deep_nesting(opening: str) -> None:
    reading = read(opening * 10_000)
    assert reading.complexity is not None
    assert reading.complexity.reason in ("too-long", "too-dense")


@pytest.mark.parametrize("opening", DEEP)
def test_nesting_below_the_limits(opening: str) -> None:
    times = min((MAX_BYTES - 10) // len(opening), MAX_OPERATORS // max(1, sum(c in "$({[=" for c in opening)))
    assert read(opening * times).complexity is not None


CLOSED = [
    ("echo $(", ")"),
    ("( ", ")"),
    ("{ ", "; }"),
    ("echo ${x:-", "}"),
    ("echo $((1+", "))"),
    ("if a; then ", "; fi"),
    ("command ", ""),
    ('echo "$(', ')"'),
]


@pytest.mark.parametrize(("opening", "closing"), CLOSED, ids=[opening for opening, _ in CLOSED])
def test_depth_is_capped(opening: str, closing: str) -> None:
    reading = read(opening * 200 + "id" + closing * 200)
    assert reading.complexity is not None
    assert reading.complexity.reason in ("too-deep", "arithmetic", "parse-error", "operand", "reserved-word")


@pytest.mark.parametrize("separator", ["; ", " && ", "\n", " & "])
def test_thousands_of_subcommands(separator: str) -> None:
    reading = read(separator.join(["id"] * 1_200))
    assert reading.complexity is None
    assert len(reading.commands) == 1_200


def test_long_pipeline_with_redirections() -> None:
    reading = read(" | ".join(["a 2>&1"] * 400))
    assert reading.complexity is None
    assert len(reading.commands) == 400


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a" * (MAX_BYTES + 1), "too-long"),
        ("é" * (MAX_BYTES // 2 + 1), "too-long"),
        ("a" * 10_000_000, "too-long"),
        ("a|" * (MAX_OPERATORS + 1), "too-dense"),
        ("ls \x00", "control-character"),
        ("ls \ud800", "control-character"),
    ],
    ids=["bytes", "characters", "huge", "dense", "nul", "surrogate"],
)
def test_turned_away(text: str, reason: str) -> None:
    complexity = read(text).complexity
    assert complexity is not None
    assert complexity.reason == reason


def test_long_words_are_read() -> None:
    text = "echo " + "a\\\n" * 3_000 + ' "' + "b" * 5_000 + '"'
    reading = read(text)
    assert reading.complexity is None
    assert reading.commands[0].argv[1].value == "a" * 3_000


def test_many_substitutions_in_a_heredoc_are_capped() -> None:
    complexity = read("cat <<EOF\n" + "  $(id)\n" * 400 + "EOF").complexity
    assert complexity is None or complexity.reason == "too-dense"


def test_best_effort_finds_commands_in_what_cannot_be_read() -> None:
    commands = read('ls *(N); rm -rf /; echo "$(git push --force)" `id -u`').commands
    found = [[word.value for word in command.argv] for command in commands]
    assert ["rm", "-rf", "/"] in found
    assert ["git", "push", "--force"] in found
    assert ["id", "-u"] in found


WORST = [
    *("$(", '"$(', "<(", "`", "$((", "${x:-", '"${x:-', "( ", "{ ", "if ", "[[ ( ", "a=(", "f() { ", "case x in a) "),
    *(
        "a|",
        "a;",
        "a\n",
        "a&&",
        "! ",
        "time ",
        "command ",
        ">f ",
        "x=1 ",
        "{a,",
        "a[",
        "a:~",
        "'",
        '"',
        "\\\n",
        "#\n",
        "é",
    ),
    *("cat <<E\n", "<<E ", "cat <<E\n$(", "cat <<E\nE\n", "$'\\x", "~", "*", "[", "$x", "{1..3}", "=~ "),
]

CONFINED = """
import math, resource, sys, time
from toolaudit.shell import read
from toolaudit.shell.text import MAX_BYTES, MAX_OPERATORS
read("echo $(ls)")
resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))
for piece in sys.argv[1:]:
    for text in (piece * (MAX_BYTES // len(piece)), piece * (MAX_OPERATORS // len(piece)), f"[[ {piece * 500} ]]"):
        second = math.ceil(time.process_time()) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (second, resource.RLIM_INFINITY))
        read(text)
"""
"""Reads each piece over and over, with 200 MB of memory and at most one to two seconds of the processor for a text."""


def test_no_text_costs_more_than_a_second_or_200_megabytes() -> None:
    run = subprocess.run([sys.executable, "-c", CONFINED, *WORST], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
