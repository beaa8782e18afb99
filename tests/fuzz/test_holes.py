from __future__ import annotations

import pytest

from toolaudit.fuzz.holes import covers, holes
from toolaudit.fuzz.oracle import Run
from toolaudit.shell import read
from toolaudit.shell.reading import Shape, Word

ONE, MANY = Shape.ONE, Shape.MANY


def words(*shapes: str | Shape) -> list[Word]:
    return [
        Word(str(shape), Shape.STATIC, shape, (0, 0)) if not isinstance(shape, Shape) else Word("", shape, None, (0, 0))
        for shape in shapes
    ]


@pytest.mark.parametrize(
    ("shapes", "program", "covered"),
    [
        (["rm", "x"], "rm x", True),
        (["rm", "x"], "rm y", False),
        (["rm", "x"], "rm", False),
        (["rm"], "rm x", False),
        (["rm", ONE], "rm y", True),
        (["rm", ONE], "rm", False),
        (["rm", ONE], "rm y z", False),
        (["rm", MANY], "rm", True),
        (["rm", MANY], "rm y z", True),
        (["rm", MANY, "x"], "rm y x", True),
        (["rm", MANY, "x"], "rm y", False),
        (["rm", MANY, MANY, ONE], "rm", False),
        (["rm", MANY, ONE, MANY], "rm y", True),
        (["rm", MANY, "x", MANY], "rm x x x y", True),
        ([MANY], "", True),
    ],
)
def test_words_cover_what_they_can_become(shapes: list[str | Shape], program: str, covered: bool) -> None:
    assert covers(words(*shapes), [word.encode() for word in program.split()]) is covered


def test_covering_takes_no_exponential_time() -> None:
    assert not covers(words(*[MANY] * 60, "x"), [b"a"] * 60)


def test_a_program_in_no_list_is_a_hole() -> None:
    run = Run(((b"ls",), (b"rm", b"x")), 0, None)
    assert holes(read("ls"), run) == ((b"rm", b"x"),)
    assert holes(read("ls; rm $x"), run) == ()


def test_a_refusal_claims_nothing() -> None:
    assert holes(read("eval $x"), Run(((b"rm",),), 0, None)) == ()
