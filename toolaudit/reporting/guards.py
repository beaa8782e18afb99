"""Guards side by side, for a person at a terminal."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolaudit.guards.compare import Comparison, about
from toolaudit.reporting.text import colour_wanted, plain

_WORDS = ("allow", "silent", "ask", "deny", "removed", "invalid", "failed")
_STYLES = {"allow": "green", "silent": "green", "ask": "yellow", "deny": "red", "removed": "red", "failed": "magenta"}


def write(found: Comparison, stream: TextIO, *, show: int) -> None:
    colour = colour_wanted(stream)
    console = Console(
        file=stream, force_terminal=colour, no_color=not colour, highlight=False, markup=False, emoji=False
    )
    console.print(Text(f"{found.calls:,} calls, {len(found.differing):,} of them judged differently", "bold"))
    used = [word for word in _WORDS if any(counts.get(word) for counts in found.words.values())]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("guard")
    for word in used:
        table.add_column(word, justify="right")
    for name in found.names:
        counts = found.words[name]
        table.add_row(plain(name), *(Text(f"{counts.get(w, 0):,}", _STYLES.get(w, "")) for w in used))
    console.print(table)
    apart = {pair: calls for pair, calls in found.disagreements.items() if calls}
    if apart:
        console.print()
        console.print(Text("One stops what the other lets run", "bold"))
    for (one, other), calls in sorted(apart.items(), key=lambda item: -item[1]):
        console.print(Text(plain(f"{calls:6,}  {one} and {other}")))
    for row in found.differing[:show]:
        console.print()
        console.print(Text(plain(f"{row.case.id}  {about(row.case)}"), "bold"), soft_wrap=True)
        for name, verdict in row.verdicts.items():
            line = Text.assemble(f"  {plain(name):<12} ", (verdict.word, _STYLES.get(verdict.word, "")))
            console.print(line.append(f"  {plain(verdict.why)[:200]}" if verdict.why else ""), soft_wrap=True)
    if len(found.differing) > show:
        console.print(f"\nand {len(found.differing) - show:,} more; --show N shows more, --json all")
    if found.bad:
        console.print(f"\n{found.bad:,} lines are no cases")
