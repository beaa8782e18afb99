"""The table of what the seed documents state: every row names tests that exist, and both parts are there."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((Path(__file__).parent / "statements.toml").read_text(encoding="utf-8"))
PARTS = ("pipeline", "tools")
ROWS = [(part, row) for part in PARTS for row in TABLE.get(part, ())]
SUPERSEDED = set(range(1, 26)) - {23, 24, 25}
"""Rows of section 14 of the documents in which they differ from the seeds; 25 is on what the seeds do not state."""


@cache
def functions_of(file: str) -> frozenset[str]:
    """The names of the test functions of one file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def nodes(row: dict[str, Any]) -> list[str]:
    return [row["test"]] if isinstance(row["test"], str) else row["test"]


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=lambda row: row["says"][:60])
def test_every_row_names_tests_that_exist(row: dict[str, Any]) -> None:
    assert set(row) <= {"says", "seed", "section", "test", "removals", "superseded", "newer"}
    assert row["seed"] in (6, 14)
    assert ("superseded" in row) == ("newer" in row)
    assert nodes(row)
    assert row["removals"]
    for node in nodes(row):
        file, name = node.split("::")
        assert name in functions_of(file), node


def test_both_parts_are_there_and_nothing_else() -> None:
    assert set(TABLE) == set(PARTS)
    assert all(len(TABLE[part]) >= 20 for part in PARTS)


def test_no_statement_stands_twice() -> None:
    said = [(row["seed"], row["section"], row["says"]) for _, row in ROWS]
    assert len(said) == len(set(said))


def test_every_newer_behaviour_has_a_row() -> None:
    assert {row["superseded"] for _, row in ROWS if "superseded" in row} == SUPERSEDED
