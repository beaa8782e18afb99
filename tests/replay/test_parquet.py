"""The tables of a replay: complete, the same whoever decided, and open to questions but not to the disk."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from toolaudit import CLIENT_VERSION
from toolaudit.cli import main
from toolaudit.replay.queries import questions
from toolaudit.reporting.replay.parquet import TABLES

NOTHING_TO_TELL = ("strangers", "unreadable")
"""Our own sessions are all of one agent, and none of their commands is beyond the reader."""

REPLAY = ["replay", "corpora/sessions", "--policy", "corpora/policies/team"]


def write(directory: Path, *options: str) -> Path:
    assert main([*REPLAY, "--format", "parquet", "--out", str(directory), *options]) == 0
    return directory


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("parquet") / "tables")


def rows(tables: Path, table: str) -> list[dict[str, object]]:
    return ds.dataset(tables / table, partitioning="hive").to_table().to_pylist()


def test_the_tables_hold_what_the_report_counts(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*REPLAY, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    calls = rows(tables, "calls")
    assert sorted(row["number"] for row in calls) == list(range(1, report["calls"] + 1))
    assert sum(row["calls"] for row in rows(tables, "sessions")) == report["calls"]
    by_change = {
        name: sum(row["change"] == name for row in rows(tables, "flips")) for name in ("now_denied", "now_asked")
    }
    assert by_change == {name: report[name]["calls"] for name in by_change}
    used = {row["rule"]: row["decided"] for row in rows(tables, "rules") if row["decided"]}
    assert used == {rule["rule"]: rule["decided"] for rule in report["rules"] if rule["decided"]}
    scored = Counter((row["truth"], row["score"]) for row in calls)
    told = {(one["truth"], score): count for one in report["truths"] for score, count in one["scores"].items()}
    assert scored == told
    assert {row["number"] for row in rows(tables, "stages")} == {row["number"] for row in calls}


def test_files_name_their_schema_and_the_client(tables: Path) -> None:
    for table in TABLES:
        for file in (tables / table).rglob("*.parquet"):
            metadata = pq.read_schema(file).metadata
            assert metadata[b"toolaudit.table"] == table.encode()
            assert metadata[b"toolaudit.client"] == CLIENT_VERSION.encode()
            assert pq.read_metadata(file).row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--jobs", "2"), id="processes"),
        pytest.param(("--cluster", "--jobs", "2"), id="cluster", marks=pytest.mark.cluster),
    ],
)
def test_whoever_decides_writes_the_same_tables(tables: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    if "--cluster" in options:
        pytest.importorskip("ray", reason="the executor for clusters needs Ray: pip install toolaudit[cluster]")
    other = write(tmp_path / "tables", *options)
    for table in TABLES:
        assert rows(other, table) == rows(tables, table)


def test_tables_of_two_runs_do_not_mix(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*REPLAY, "--format", "parquet", "--out", str(tables)]) == 2
    assert "name a new directory" in capsys.readouterr().err


def test_ten_questions_come_with_it() -> None:
    assert len(questions()) == 10
    assert all(question.endswith("?") for question, _ in questions().values())


@pytest.mark.parametrize("name", questions())
def test_every_question_has_an_answer(tables: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", name, str(tables), "--json"]) == 0
    answer = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answer or name in NOTHING_TO_TELL


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY calls TO '/tmp/toolaudit-out.csv'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "ATTACH '/tmp/x.db'",
    ],
)
def test_a_query_reaches_nothing_but_the_tables(tables: Path, sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", sql, str(tables)]) == 1
    assert "toolaudit query: " in capsys.readouterr().err


def test_a_directory_without_tables_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "decisions", str(tmp_path)]) == 2
    assert f"{tmp_path}/calls: expected the tables that" in capsys.readouterr().err
