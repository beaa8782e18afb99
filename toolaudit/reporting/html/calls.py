"""The calls of a report as data: words that come again stand once, and the longer the list, the shorter each text."""

from __future__ import annotations

import json
from typing import Any, Final

from toolaudit.analysis.diff import describe
from toolaudit.checks.masking import masked
from toolaudit.replay import Record
from toolaudit.reporting.text import plain

TEXTS_BYTES: Final = 1_200_000
"""For the texts of all calls together."""
LONGEST: Final = 4_000
SHORTEST: Final = 120
NOTE: Final = 300
"""Characters of a reason that are kept."""
MOST: Final = 20_000
"""Calls that are listed one by one; the numbers count all."""


class Calls:
    """Collects calls as they come."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._traces: dict[tuple[tuple[int, int, int], ...], int] = {}
        self._rows: list[list[Any]] = []
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, record: Record) -> None:
        if len(self._rows) >= MOST:
            self.left_out += 1
            return
        recorded, decision = record.recorded, record.decision
        text = describe(recorded.call)
        # A secret that the cut would go through is masked whole first.
        shown = plain(masked(text[: LONGEST + NOTE])[:LONGEST])
        rule = decision.rule or next((one.rule for one in decision.subcommands if one.rule is not None), None)
        trace = tuple(
            (self._word(one.stage), self._word(one.note), self._word(one.behavior or "")) for one in decision.trace
        )
        self._rows.append(
            [
                self._word(decision.behavior),
                self._word(decision.stage),
                self._word(recorded.call.tool),
                self._word(f"{rule} ({rule.source})" if rule is not None else ""),
                self._word(recorded.session or ""),
                shown,
                max(0, len(text) - LONGEST),
                self._word(decision.why),
                self._word(record.mode),
                self._word(f"{recorded.outcome.replace('_', ' ')}; {record.change}"),
                self._word(recorded.file),
                recorded.line,
                self._traces.setdefault(trace, len(self._traces)),
            ]
        )

    def _word(self, text: str) -> int:
        shown = plain(masked(str(text)))
        if len(shown) > NOTE:
            shown = f"{shown[:NOTE]}…"
        return self._words.setdefault(shown, len(self._words))

    def block(self) -> str:
        """The text of a data block of HTML: JSON in ASCII in which no `<` and no `&` stands."""
        room = max(SHORTEST, min(LONGEST, TEXTS_BYTES // max(1, len(self._rows))))
        rows = [self._shortened(row, room) for row in self._rows]
        whole = {"words": list(self._words), "traces": list(self._traces), "calls": rows}
        text = json.dumps(whole, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

    @staticmethod
    def _shortened(row: list[Any], room: int) -> list[Any]:
        text, beyond = row[5], row[6]
        if len(text) <= room:
            return row
        return [*row[:5], text[:room], beyond + len(text) - room, *row[7:]]
