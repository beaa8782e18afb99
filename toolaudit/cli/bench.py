from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from toolaudit.cli.extras import extra

EXAMPLES = """\
examples:
  toolaudit bench
  toolaudit bench ~/.claude/projects --json
  toolaudit bench --long --report reports/performance.md
  toolaudit bench --peer nah=/opt/peers/bin/python --peer vetter=/opt/peers/bin/python
  toolaudit bench --write-sessions /tmp/sessions --size 1GB

Prints ratios to floors measured in the same run. With PATHs, decisions are measured on the distinct shell commands of
those recordings, otherwise on made-up ones, and their replay is measured too.

exit codes: 0 every target is met, 1 one is missed, 2 wrong usage
"""

_FEW = 300
"""Commands over which peers are timed: some take milliseconds for each."""

_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("paths", metavar="PATH", nargs="*", help="recorded sessions whose commands are decided")
    parser.add_argument("--long", action="store_true", help="also measure what takes minutes: memory over 1 GB")
    parser.add_argument(
        "--peer",
        metavar="NAME=PYTHON",
        action="append",
        default=[],
        help="time another guard beside it, in an interpreter that has it: agentbelay, nah, seatbelt-guard or vetter; "
        "may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a measure")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the table as Markdown, too")
    parser.add_argument("--write-sessions", metavar="DIR", type=Path, help="only write made-up sessions there")
    parser.add_argument("--size", metavar="SIZE", type=_size, default=_size("100MB"), help="of them (default: 100MB)")


def _size(text: str) -> int:
    number, unit = text[:-2], text[-2:].upper()
    if unit not in _UNITS or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a size such as 100MB or 1GB, got {text!r}")
    return int(number) * _UNITS[unit]


def run(args: argparse.Namespace) -> int:
    if args.write_sessions is not None:
        from toolaudit.bench import synthetic

        paths = synthetic.write(args.write_sessions, args.size)
        print(f"{len(paths)} files with {sum(path.stat().st_size for path in paths):,} bytes in {args.write_sessions}")
        return 0
    with extra("bench"):
        from toolaudit.bench import measures, synthetic
    from toolaudit.bench.peers import Peer, beside
    from toolaudit.reporting import performance

    try:
        peers = [Peer.parse(text) for text in args.peer]
    except ValueError as error:
        print(f"toolaudit bench: --peer: {error}", file=sys.stderr)
        return 2
    commands = measures.recorded_commands(args.paths) if args.paths else synthetic.distinct_commands(2000)
    taken = []
    for measure in (*measures.MEASURES, *(measures.LONG if args.long else ())):
        if sys.stderr.isatty():
            print(f"measuring: {measure.__name__}", file=sys.stderr)
        taken.append(measure(commands))
    if args.paths:
        taken.append(measures.recordings(args.paths))
    few = commands[:: max(1, len(commands) // _FEW)]
    try:
        taken += [beside(peer, few, measures.deciding(few)) for peer in peers]
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"toolaudit bench: --peer: {error}", file=sys.stderr)
        return 2
    if args.json:
        for one in taken:
            print(json.dumps(performance.record(one)))
    else:
        performance.write(taken, sys.stdout)
    if args.report is not None:
        told = f"{len(commands):,} distinct commands of {'recorded sessions' if args.paths else 'made-up sessions'}"
        args.report.write_text(performance.markdown(taken, told, measures.versions()), encoding="utf-8")
    return 0 if all(one.met for one in taken) else 1
