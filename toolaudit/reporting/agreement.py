from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO

from toolaudit.conformance import Agreement, Compared, Tally
from toolaudit.reporting.text import plain


def write(agreement: Agreement, stream: TextIO, *, show: int = 0, reasons: bool = False) -> None:
    """The comparison as text tables, then the first `show` disagreements with both reasons."""
    for title, tallies in (
        ("tool", agreement.by_tool),
        ("mode", agreement.by_mode),
        ("client's answer", agreement.by_reason),
    ):
        _table(title, tallies, stream)
    chosen = agreement.reason_disagreements if reasons else agreement.disagreements
    for compared in chosen[:show]:
        _disagreement(compared, stream)
    for (ours, theirs), count in agreement.kinds.most_common():
        print(f"{count:6}  {ours} here, {theirs} by the client", file=stream)
    total = agreement.total
    if agreement.unanswered:
        print(f"{len(agreement.unanswered)} cases have no recorded answer and count nowhere", file=stream)
    print(
        f"agreement {total.agreement:.2%} of {total.cases} cases; unsafe {total.unsafe}, noisy {total.noisy}; "
        f"reason type {total.reason_agreement:.2%}",
        file=stream,
    )


def summary(agreement: Agreement) -> dict[str, Any]:
    """The comparison as a JSON object (schema 1)."""

    def tally(one: Any) -> dict[str, Any]:
        return {
            "cases": one.cases,
            "agree": one.agree,
            "agreement": round(one.agreement, 5),
            "unsafe": one.unsafe,
            "noisy": one.noisy,
            "reason_agreement": round(one.reason_agreement, 5),
        }

    return {
        "schema": 1,
        "total": tally(agreement.total),
        "by_tool": {name: tally(one) for name, one in agreement.by_tool.items()},
        "by_mode": {name: tally(one) for name, one in agreement.by_mode.items()},
        "by_reason": {name: tally(one) for name, one in agreement.by_reason.items()},
        "unanswered": len(agreement.unanswered),
        "disagreements": [
            {
                "id": one.id,
                "ours": one.ours,
                "client": one.theirs,
                "our_why": one.our_why,
                "client_reason": one.their_reason,
                "kind": "unsafe" if one.unsafe else "noisy" if one.noisy else "other",
            }
            for one in agreement.disagreements
        ],
    }


def _table(title: str, tallies: Mapping[str, Tally], stream: TextIO) -> None:
    width = max([len(title), *(len(name) for name in tallies)])
    print(f"{title:{width}}  {'cases':>6} {'agree':>8} {'unsafe':>7} {'noisy':>6} {'reason':>8}", file=stream)
    for name, tally in sorted(tallies.items(), key=lambda item: -item[1].cases):
        print(
            f"{plain(name):{width}}  {tally.cases:6} {tally.agreement:8.2%} {tally.unsafe:7} {tally.noisy:6} "
            f"{tally.reason_agreement:8.2%}",
            file=stream,
        )
    print(file=stream)


def _disagreement(compared: Compared, stream: TextIO) -> None:
    print(f"{plain(compared.id)}  {plain(compared.tool)}, mode {compared.mode}", file=stream)
    print(f"  here    {compared.ours} ({compared.our_type or '-'}): {plain(compared.our_why)}", file=stream)
    print(f"  client  {compared.theirs} ({compared.their_type or '-'}): {plain(compared.their_reason)}", file=stream)
