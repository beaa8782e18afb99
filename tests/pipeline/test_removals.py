"""Each statement of the table is held by its tests: with the behaviour taken out of the source, one of them fails.

A removal is a small edit of one file of the package. It is made in a copy, where the tests of its row are then run.
All of them take minutes; the ordinary run makes a few, other ones with each row that the table gets.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.test_statements import ROOT, ROWS, nodes

REMOVALS = [(row, removal) for _, row in ROWS for removal in row["removals"]]
EVERY = 60
"""The ordinary run makes one removal of so many."""

SAMPLE = REMOVALS[::EVERY]


def named(pairs: Iterable[tuple[dict[str, Any], dict[str, str]]]) -> list[Any]:
    return [pytest.param(row, removal, id=f"{row['says'][:50]}: {removal['new'][:30]}") for row, removal in pairs]


class Copy:
    """A copy of the package and its tests, with what Python made of the sources already, and a process to run them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        for folder in ("toolaudit", "tests"):
            shutil.copytree(ROOT / folder, place / folder)
        shutil.copy(ROOT / "pyproject.toml", place)
        argv = [sys.executable, "-m", "tests.pipeline.forked"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": ""}
        self._runs = subprocess.Popen(
            argv, cwd=place, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, tests: Iterable[str]) -> tuple[int, str]:
        """The exit code of pytest, and what it printed."""
        assert self._runs.stdin is not None
        assert self._runs.stdout is not None
        self._runs.stdin.write(json.dumps(list(tests)) + "\n")
        self._runs.stdin.flush()
        code, printed = json.loads(self._runs.stdout.readline())
        return code, printed

    def close(self) -> None:
        self._runs.communicate()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    made = Copy(tmp_path_factory.mktemp("without") / "copy")
    yield made
    made.close()


def check(copy: Copy, row: dict[str, Any], removal: dict[str, str]) -> None:
    path = copy.place / removal["file"]
    source = path.read_text(encoding="utf-8")
    # The compiled file is told from a stale one by time and size, which a small edit may leave as they are.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
    path.write_text(source.replace(removal["old"], removal["new"]), encoding="utf-8")
    try:
        code, printed = copy.run(nodes(row))
    finally:
        path.write_text(source, encoding="utf-8")
    # INVARIANT: a removal that breaks the import of the package, or of the tests, proves nothing.
    assert code == 1, printed
    assert re.search(r"^FAILED ", printed, re.MULTILINE), printed


@pytest.mark.parametrize(("row", "removal"), named(REMOVALS))
def test_a_removal_takes_something_out(row: dict[str, Any], removal: dict[str, str]) -> None:
    source = (ROOT / removal["file"]).read_text(encoding="utf-8")
    assert source.count(removal["old"]) == 1, f"{removal['file']} changed: say anew what to take out for this row"
    assert removal["new"] != removal["old"]


def test_the_tests_of_the_sample_pass_with_nothing_taken_out(copy: Copy) -> None:
    code, printed = copy.run(sorted({node for row, _ in SAMPLE for node in nodes(row)}))
    assert code == 0, printed


@pytest.mark.parametrize(("row", "removal"), named(SAMPLE))
def test_a_test_notices(copy: Copy, row: dict[str, Any], removal: dict[str, str]) -> None:
    check(copy, row, removal)


@pytest.mark.long
@pytest.mark.timeout(0)
def test_all_tests_pass_with_nothing_taken_out(copy: Copy) -> None:
    code, printed = copy.run(sorted({node for _, row in ROWS for node in nodes(row)}))
    assert code == 0, printed


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("row", "removal"), named(REMOVALS))
def test_a_test_notices_every_removal(copy: Copy, row: dict[str, Any], removal: dict[str, str]) -> None:
    check(copy, row, removal)
