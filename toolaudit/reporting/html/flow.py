"""The way of the calls through the stages, as a drawing: a band that narrows where calls are settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from toolaudit.model import Behavior
from toolaudit.permissions.chain import CHAIN
from toolaudit.replay.report import Counts

ORDER: Final = ("lookup", "schema", "meaning", *(name for name, _ in CHAIN), "execution")
"""The stages in which calls are settled, as the pipeline goes through them."""

ROW: Final = 58
BAND: Final = 150
LEFT: Final = 95
RIGHT: Final = LEFT + BAND + 20
WIDTH: Final = 440


def drawing(stages: Mapping[str, Counts]) -> str:
    """An SVG with a row for each stage that settled a call; a table beside it says the same in words."""
    names = [*(name for name in ORDER if name in stages), *(name for name in stages if name not in ORDER)]
    total = sum(sum(counts.values()) for counts in stages.values())
    height = ROW * len(names) + 40
    parts = [
        f'<svg class="flow" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="flow-title">',
        '<title id="flow-title">How many calls each stage of the pipeline settled, from the first to the last</title>',
        *_rows(names, stages, total),
        "</svg>",
    ]
    return "\n".join(parts)


def _rows(names: Sequence[str], stages: Mapping[str, Counts], total: int) -> Iterator[str]:
    left = total
    yield f'<text x="{LEFT}" y="16" class="small">{total:,} calls</text>'
    for at, name in enumerate(names):
        top = 24 + at * ROW
        settled = sum(stages[name].values())
        before, after = _width(left, total), _width(left - settled, total)
        middle = LEFT + BAND / 2
        corners = (
            (middle - before / 2, top),
            (middle + before / 2, top),
            (middle + after / 2, top + ROW - 2),
            (middle - after / 2, top + ROW - 2),
        )
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        yield f'<polygon class="band" points="{points}"/>'
        yield f'<text x="0" y="{top + 24}">{escape(name)}</text>'
        yield f'<text x="0" y="{top + 41}" class="small">{left:,} reach it</text>'
        yield from _outflow(stages[name], total, top)
        left -= settled


def _outflow(counts: Counts, total: int, top: int) -> Iterator[str]:
    x: float = RIGHT
    words = []
    for behavior in Behavior:
        number = counts.get(behavior, 0)
        if not number:
            continue
        width = max(3.0, (WIDTH - RIGHT) * number / total)
        shown = min(width, WIDTH - x)
        yield f'<rect class="{behavior}" x="{x:.1f}" y="{top + 10}" width="{shown:.1f}" height="16" rx="2"/>'
        x += width + 2
        words.append(f"{number:,} {behavior}")
    yield f'<text x="{RIGHT}" y="{top + 42}" class="small">{", ".join(words)}</text>'


def _width(calls: int, total: int) -> float:
    return 0.0 if not calls else max(2.0, BAND * calls / total)
