from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

SOUNDNESS_EXAMPLES = 200_000

EXAMPLES = """\
examples:
  toolaudit fuzz --soundness --examples 200000 --seed 1 --out reports
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--soundness", action="store_true", help="test the shell reader against bash instead of a policy"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed makes the same run (default: 1)"
    )
    parser.add_argument("--examples", type=_count, metavar="N", help="how many generated commands to try")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop after this time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the report there")


def run(args: argparse.Namespace) -> int:
    return _soundness(args)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return int(text)


def _soundness(args: argparse.Namespace) -> int:
    from toolaudit.fuzz.oracle import Oracle, OracleUnavailable
    from toolaudit.fuzz.soundness import Tally, run
    from toolaudit.reporting.fuzz import soundness
    from toolaudit.reporting.fuzz.progress import shown

    examples = args.examples or SOUNDNESS_EXAMPLES
    tallies: Mapping[str, Tally] = {}
    interrupted = False
    try:
        with Oracle() as oracle, shown("accepted commands", examples, sys.stderr) as advance:
            try:
                for step in run(oracle, args.seed, examples, seconds=args.time):
                    tallies = step.tallies
                    advance(step.accepted)
            except KeyboardInterrupt:
                interrupted = True
            bash = oracle.bash_version
    except OracleUnavailable as missing:
        print(f"toolaudit fuzz --soundness: {missing}", file=sys.stderr)
        return 2
    command = f"toolaudit fuzz --soundness --examples {examples} --seed {args.seed}"
    circumstances = soundness.Circumstances(command, args.seed, bash, soundness.parser_version(), interrupted)
    soundness.write(tallies, circumstances, sys.stdout)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        with (args.out / "soundness.md").open("w", encoding="utf-8") as file:
            soundness.write(tallies, circumstances, file)
    return 1 if any(tally.holes for tally in tallies.values()) else 130 if interrupted else 0
