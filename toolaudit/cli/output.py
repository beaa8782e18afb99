"""The options by which a verb is told where and how to write its results."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolaudit.reporting.results import Results

FORMATS = ("terminal", "json", "ndjson", "junit", "tap", "sarif", "github", "markdown")
"""As `toolaudit.reporting.results.FORMATS`, which a parser must not import."""


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """`--format` and `--out`, and `--json` for short."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=FORMATS, default="terminal", help="default: terminal")
    group.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    group.add_argument("--out", metavar="FILE", help="write there instead of to standard output")


def add_suppression_options(parser: argparse.ArgumentParser) -> None:
    """Where the suppressions stand. They are said to be there in the output, so none hides anything."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--config", metavar="FILE", help="suppressions, each with reason and expiry (default: toolaudit.toml, if any)"
    )
    group.add_argument("--no-config", action="store_true", help="suppress nothing")


def suppressed(args: argparse.Namespace, results: Results) -> Results | None:
    """`results` with what toolaudit.toml suppresses set aside; None after saying on stderr what is wrong with it."""
    import datetime

    from toolaudit.reporting import suppressions

    path = Path(args.config or suppressions.FILE)
    if args.no_config or (args.config is None and not path.exists()):
        return results
    try:
        found = suppressions.read(path)
    except suppressions.SuppressionError as error:
        print(error, file=sys.stderr)
        return None
    except OSError as error:
        print(f"toolaudit {results.verb}: {path}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return None
    return suppressions.apply(results, found, datetime.date.today())


def has_expired(results: Results) -> bool:
    """Whether a suppression is past its time, which is an error whatever else was found."""
    from toolaudit.reporting.suppressions import EXPIRED

    return any(one.check == EXPIRED.id for one in results.results)


def write_results(args: argparse.Namespace, results: Results) -> bool:
    """Write `results` as the options say; False after saying on stderr why that could not be done."""
    from toolaudit.reporting.results import writer

    write = writer(args.format)
    if args.out is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        write(results, sys.stdout)
        return True
    try:
        with Path(args.out).open("w", encoding="utf-8", errors="backslashreplace") as stream:
            write(results, stream)
    except OSError as error:
        print(f"toolaudit {results.verb}: {args.out}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return False
    return True
