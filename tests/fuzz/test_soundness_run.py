"""The run that holds the reader to its claim: it counts, finds the holes of a bad reader, and reports them."""

from __future__ import annotations

import io

import pytest

from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.soundness import Tally, run
from toolaudit.reporting.fuzz import soundness
from toolaudit.shell import read
from toolaudit.shell.reading import Reading
from toolaudit.structs import replace

ABOUT = soundness.Circumstances("toolaudit fuzz --soundness", 3, "5.2", "a parser")


def tallies(oracle: Oracle, examples: int, seed: int, reader: object = read) -> dict[str, Tally]:
    steps = list(run(oracle, seed, examples, reader=reader))  # type: ignore[arg-type]
    assert sum(step.accepted for step in steps) == sum(tally.accepted for tally in steps[-1].tallies.values())
    return dict(steps[-1].tallies)


def written(found: dict[str, Tally]) -> str:
    stream = io.StringIO()
    soundness.write(found, ABOUT, stream)
    return stream.getvalue()


def test_no_hole_in_a_few_hundred_commands(oracle: Oracle) -> None:
    found = tallies(oracle, 400, seed=7)
    assert [hole.shrunk for tally in found.values() for hole in tally.holes] == []
    assert sum(tally.accepted for tally in found.values()) >= 400
    assert all(tally.programs and tally.refused for tally in found.values())
    assert "**0 holes in 4" in written(found)


@pytest.mark.long
@pytest.mark.timeout(0)
def test_no_hole_in_many_commands(oracle: Oracle) -> None:
    found = tallies(oracle, 20_000, seed=8)
    assert [hole.shrunk for tally in found.values() for hole in tally.holes] == []


def without_nested_commands(text: str) -> Reading:
    """A reader that overlooks what stands in substitutions."""
    reading = read(text)
    outside = tuple(command for command in reading.commands if "command-substitution" not in command.context)
    return replace(reading, commands=outside)


def test_the_hole_of_a_bad_reader_is_found_and_shrunk(oracle: Oracle) -> None:
    found = tallies(oracle, 200, seed=1, reader=without_nested_commands)
    holes = [hole for tally in found.values() for hole in tally.holes]
    assert holes
    assert min(len(hole.shrunk) for hole in holes) <= 10
    report = written(found)
    assert "## Holes" in report
    assert f"**{len(holes)} holes in" in report


def test_it_stops_in_time(oracle: Oracle) -> None:
    steps = list(run(oracle, 1, 1_000_000, seconds=0.2))
    assert steps
    assert sum(step.accepted for step in steps) < 1_000_000


@pytest.mark.parametrize(
    ("text", "span"), [("ls\nx", "`ls\\nx`"), ("`id`", "`` `id` ``"), ("\x1b[31m", "`\\x1b[31m`")], ids=repr
)
def test_commands_are_shown_on_one_line(text: str, span: str) -> None:
    assert soundness.code(text) == span
