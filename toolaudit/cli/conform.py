from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolaudit.conformance import Agreement

EXAMPLES = """\
examples:
  toolaudit conform cases.jsonl decisions.jsonl
  toolaudit conform cases.jsonl decisions.jsonl --show 20 --json

CASES.jsonl has the format of 'toolaudit decide'; DECISIONS.jsonl holds a recorded answer a line: id, decision,
reason_type, reason. "unsafe" counts calls that are allowed here and not by the client, "noisy" the other way round.

exit codes: 0 thresholds met, 1 agreement below --min-agreement or unsafe above --max-unsafe, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("cases", metavar="CASES.jsonl", help="the cases; - reads standard input")
    parser.add_argument("decisions", metavar="DECISIONS.jsonl", help="the recorded decisions of the client")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N disagreements, each with both reasons"
    )
    parser.add_argument("--reasons", action="store_true", help="with --show: disagreements of the reason type instead")
    parser.add_argument("--only", metavar="TEXT", help="only cases whose id contains TEXT")
    parser.add_argument("--min-agreement", type=float, default=0.0, metavar="PERCENT")
    parser.add_argument("--max-unsafe", type=float, default=100.0, metavar="PERCENT")


def run(args: argparse.Namespace) -> int:
    from toolaudit.cli.decide import _input, decided
    from toolaudit.conformance import compare

    try:
        recorded = _recorded(Path(args.decisions))
        with _input(args.cases) as lines:
            ours = [entry for entry in decided(lines) if not args.only or args.only in str(entry["id"])]
    except (OSError, ValueError) as error:
        print(f"toolaudit conform: {error}", file=sys.stderr)
        return 2
    errors = [entry for entry in ours if "error" in entry]
    for entry in errors:
        print(f"line {entry['line']}: {entry['error']}", file=sys.stderr)
    agreement = compare((entry, recorded.get(str(entry["id"]))) for entry in ours if "error" not in entry)
    if args.json:
        print(json.dumps(summary(agreement), indent=2))
    else:
        from toolaudit.reporting.agreement import write

        write(agreement, sys.stdout, show=args.show, reasons=args.reasons)
    total = agreement.total
    unsafe = 100 * total.unsafe / total.cases if total.cases else 0.0
    return int(bool(errors) or 100 * total.agreement < args.min_agreement or unsafe > args.max_unsafe)


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


def _recorded(path: Path) -> dict[str, Mapping[str, Any]]:
    """id -> record. Raises ValueError, with the line, where one is no decision record."""
    recorded: dict[str, Mapping[str, Any]] = {}
    with path.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, start=1):
            if not text.strip():
                continue
            try:
                entry = json.loads(text)
                recorded[entry["id"]] = entry
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{path}:{number}: expected a decision record with an id, got: {error}") from None
    return recorded
