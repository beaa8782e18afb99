from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from toolaudit.cli.extras import extra

EXAMPLES = """\
examples:
  toolaudit replay sessions/ --policy . --format parquet --out tables/
  toolaudit query --list
  toolaudit query idle_rules tables/
  toolaudit query 'SELECT tool, count(*) FROM calls GROUP BY tool' tables/ --json

The tables are calls, stages, flips, sessions and rules; `DESCRIBE calls` lists the columns of one. Queries may read
these tables and nothing else of the disk or the network.

exit codes: 0 done, 1 a query that fails, 2 wrong usage or no tables there
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("query", nargs="?", help="SQL, or the name of a question of --list; - reads standard input")
    parser.add_argument("tables", nargs="?", type=Path, help="the directory that `replay --format parquet` wrote")
    parser.add_argument("--list", action="store_true", help="print the questions that come with toolaudit")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")


def run(args: argparse.Namespace) -> int:
    from toolaudit.replay.queries import questions

    known = questions()
    if args.list:
        for name, (question, sql) in known.items():
            print(f"{name}\n    {question}\n" + "".join(f"      {line}\n" for line in sql.splitlines()[1:]))
        return 0
    if args.query is None or args.tables is None:
        print("toolaudit query: give a query and the directory with the tables, or --list", file=sys.stderr)
        return 2
    sql = sys.stdin.read() if args.query == "-" else known.get(args.query, ("", args.query))[1]
    with extra("query"):
        import duckdb

        from toolaudit.reporting.replay.parquet import tables
    try:
        views = dict(tables(args.tables))
    except FileNotFoundError as error:
        print(f"toolaudit query: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    try:
        with duckdb.connect() as connection:
            for name, pattern in views.items():
                path = pattern.replace("'", "''")
                connection.execute(f"CREATE VIEW {name} AS FROM read_parquet('{path}', hive_partitioning = true)")
            # Everything but these tables is out of a query's reach from here on.
            connection.execute(f"SET allowed_directories = ['{str(args.tables).replace(chr(39), chr(39) * 2)}/']")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            result = connection.execute(sql)
            columns = [column[0] for column in result.description or ()]
            _print(columns, result.fetchall(), as_json=args.json)
    except duckdb.Error as error:
        print(f"toolaudit query: {error}", file=sys.stderr)
        return 1
    return 0


def _print(columns: list[str], rows: list[tuple[Any, ...]], *, as_json: bool) -> None:
    if as_json:
        for row in rows:
            print(json.dumps(dict(zip(columns, row, strict=True)), default=str))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from toolaudit.reporting.text import plain

    table = Table(box=None, header_style="bold", pad_edge=False)
    for index, column in enumerate(columns):
        numeric = all(isinstance(row[index], int | float) for row in rows) and rows
        table.add_column(plain(column), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain("" if value is None else str(value))) for value in row))
    # Into a pipe, a row is a line, however long.
    Console(highlight=False, width=None if sys.stdout.isatty() else 1 << 20).print(table)
