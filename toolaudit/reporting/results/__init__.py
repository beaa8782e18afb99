"""What a verb found, and one writer a format for it, whatever the verb: tests, lint, differences, replays."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, TextIO

from toolaudit.reporting.results.model import Check, Place, Result, Results, Status

FORMATS: Final = ("terminal", "json", "ndjson", "junit", "tap", "sarif", "github", "markdown")
"""Each is a module of this package with `write(results, stream)`."""


def writer(format: str) -> Callable[[Results, TextIO], None]:
    """The `write` of one of `FORMATS`; only its own module is imported."""
    write: Callable[[Results, TextIO], None] = import_module(f"{__name__}.{format}").write
    return write


__all__ = ["FORMATS", "Check", "Place", "Result", "Results", "Status", "writer"]
