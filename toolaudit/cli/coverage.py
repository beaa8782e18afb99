from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.output import add_output_options, add_suppression_options, has_expired, suppressed, write_results
from toolaudit.cli.policy import add_policy_options, load_policy

if TYPE_CHECKING:
    from toolaudit.analysis.coverage import Coverage

EXAMPLES = """\
examples:
  toolaudit coverage part1.json part2.json --fail-under 90
  toolaudit coverage --calls ~/.claude/projects/-srv-app --policy .
  toolaudit coverage .toolaudit-coverage.json --calls sessions/ --policy . --format sarif

FILE is what 'toolaudit test --coverage' and 'pytest --toolaudit-coverage' write. Several add up, and so do recorded
calls, which are replayed under the policy in the mode each was made in.

exit codes: 0 done, 1 fewer rules are used than asked for, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="*", help="coverage that tests wrote")
    parser.add_argument("--calls", metavar="TRANSCRIPTS", nargs="+", default=[], help="recorded sessions")
    parser.add_argument("--merged", metavar="FILE", help="write what all of it adds up to there")
    parser.add_argument("--fail-under", metavar="PERCENT", type=float, help="fail where fewer of the rules are used")
    add_output_options(parser)
    add_suppression_options(parser)
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.coverage import Coverage
    from toolaudit.reporting import coverage as told
    from toolaudit.reporting.results import Results

    if not args.files and not args.calls:
        print("toolaudit coverage: give coverage files, or --calls with a policy", file=sys.stderr)
        return 2
    coverage = Coverage()
    try:
        for name in args.files:
            coverage.merge(told.load(Path(name)))
    except (OSError, ValueError) as error:
        why = error.strerror.lower() if isinstance(error, OSError) and error.strerror else error
        print(f"toolaudit coverage: {name}: {why}", file=sys.stderr)
        return 2
    if args.calls and not _add_calls(args, coverage):
        return 3
    if args.merged is not None:
        told.save(coverage, Path(args.merged))
    low = args.fail_under is not None and coverage.percent() < args.fail_under
    summary = list(told.table(coverage))
    if low:
        summary.append(f"coverage is below --fail-under {args.fail_under:g}")
    untested = list(told.untested(coverage)) if args.format != "terminal" else []
    found = Results("coverage", untested, {told.CHECK.id: told.CHECK}, tuple(summary), passes_matter=False)
    results = suppressed(args, found)
    if results is None or not write_results(args, results):
        return 2
    return 1 if low or has_expired(results) else 0


def _add_calls(args: argparse.Namespace, coverage: Coverage) -> bool:
    """Replay the recorded calls; False after saying what is wrong with the policy."""
    from toolaudit.model import Policy
    from toolaudit.replay import Replay, Settings
    from toolaudit.replay.machine import DEFAULT_ROOT, home_of
    from toolaudit.transcripts.reading import read

    policy = load_policy(args, cwd=DEFAULT_ROOT, home=home_of(DEFAULT_ROOT))
    if policy is None:
        return False

    def load(root: str, home: str) -> Policy:
        # A file that goes bad while we read: the policy that was there at the start stays in force.
        return load_policy(args, cwd=root, home=home) or policy

    replay = Replay(read(args.calls), Settings(load, recorded_modes=True, trusted=not args.untrusted), policy)
    for _ in replay:
        pass
    coverage.add_replay(replay.report())
    return True
