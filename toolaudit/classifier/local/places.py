"""Where reading and writing are harmless, and which files are inert: the table `places.txt`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.table import lines, path_pattern

_USES: Final = frozenset({"look", "use", "write", "kind"})


def may_read(path: str, context: Context, *, only_reads: bool) -> bool:
    """Whether reading at the absolute `path` is harmless for a program that `only_reads`, or does more."""
    if context.inside(path) or path in context.made or _fits("use", path, context.question.home):
        return True
    beside = posixpath.dirname(context.question.cwd)
    # Beside the project lie others; where its parent is the root or the home, anything may lie there.
    siblings = beside not in ("/", context.question.home) and path.startswith(f"{beside}/")
    return only_reads and (siblings or _fits("look", path, context.question.home))


def may_write(path: str, context: Context) -> bool:
    """Whether the absolute `path` is in a working directory or in a folder for what passes."""
    own = path in context.made or any(path.startswith(f"{made}/") for made in context.made if made.startswith("/"))
    return own or context.inside(path) or _fits("write", path, context.question.home)


def is_inert(path: str) -> bool:
    """Whether a file of this name does nothing by itself."""
    name = posixpath.basename(path)
    return _kinds().fullmatch(name) is not None


@lru_cache(maxsize=8192)
def _fits(use: str, path: str, home: str) -> bool:
    return any(pattern.fullmatch(path) for pattern in _patterns(home)[use])


@cache
def _patterns(home: str) -> Mapping[str, tuple[re.Pattern[str], ...]]:
    found: dict[str, list[re.Pattern[str]]] = {use: [] for use in _USES}
    for use, pattern in _rows():
        if use != "kind":
            found[use].append(path_pattern(pattern, home))
    return {use: tuple(patterns) for use, patterns in found.items()}


@cache
def _kinds() -> re.Pattern[str]:
    return re.compile("|".join(path_pattern(one, "").pattern for use, one in _rows() if use == "kind"), re.IGNORECASE)


@cache
def _rows() -> tuple[tuple[str, str], ...]:
    """Use and pattern of each row. Raises ValueError for a row that is none."""
    rows = []
    for number, line in lines("places.txt"):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 3 or cells[0] not in _USES:
            raise ValueError(f"places.txt:{number}: expected 3 columns that begin with a use, got {line!r}")
        rows.append((cells[0], cells[1]))
    return tuple(rows)
