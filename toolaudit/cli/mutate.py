from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolaudit.cli.output import add_output_options, add_suppression_options, has_expired, suppressed, write_results

EXAMPLES = """\
examples:
  toolaudit mutate
  toolaudit mutate policy/ --fail-under 80
  toolaudit mutate --only drop flip --format markdown

The policy that the test files name is changed in small ways: a rule dropped, flipped, widened, narrowed, moved to
another scope; a hook dropped; another mode to start in. Where all tests still pass, the change survived, and the test
that is missing is printed, ready to paste. Changes that are proved to make no difference are not counted:
score = killed / (all - equivalent).

exit codes: 0 done, 1 the score is too low, 2 wrong usage, 3 a file or case that can't be tested, 5 no tests found
"""

OPERATORS = ("drop", "flip", "widen", "narrow", "scope", "hook", "mode")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("paths", metavar="PATH", nargs="*", default=["."], help="test files and folders (default: .)")
    parser.add_argument("--only", metavar="CHANGE", nargs="+", choices=OPERATORS, help=f"of {', '.join(OPERATORS)}")
    parser.add_argument("--proofs", action="store_true", help="list the changes that make no difference, and why")
    parser.add_argument("--fail-under", metavar="PERCENT", type=float, help="fail where the score is lower")
    add_output_options(parser)
    add_suppression_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.mutation import MutantResult, Score, mutate
    from toolaudit.model.workspace import DataWorkspace
    from toolaudit.reporting import mutation as told
    from toolaudit.reporting.results import Results
    from toolaudit.testing.case import Broken, Case
    from toolaudit.testing.find import find
    from toolaudit.testing.load import CWD, HOME, load_suite
    from toolaudit.testing.run import run as run_case

    try:
        suites = [load_suite(path) for path in find(map(Path, args.paths))]
    except FileNotFoundError as error:
        print(f"toolaudit mutate: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    broken = [case for suite in suites for case in suite.cases if isinstance(case, Broken)]
    for one in broken:
        print(f"toolaudit mutate: {one.error}", file=sys.stderr)
    if broken:
        return 3
    if not suites:
        print(f"toolaudit mutate: no tests: no *.toolaudit.yaml in {', '.join(args.paths)}", file=sys.stderr)
        return 5
    workspace = DataWorkspace.describe(CWD, HOME, git=True)
    found: list[MutantResult] = []
    failing = 0
    for subject in {suite.subject.name: suite.subject for suite in suites if suite.subject is not None}.values():
        own = [suite for suite in suites if suite.subject is not None and suite.subject.name == subject.name]
        cases = [case for suite in own for case in suite.cases if isinstance(case, Case)]
        failing += sum(not run_case(case).passed for case in cases if case.skip is None)
        found += mutate(subject.policy, workspace, cases, operators=args.only)
    score = Score.of(found)
    summary = [*told.lines(found), *(told.proofs(found) if args.proofs else ())]
    if failing:
        summary.append(f"{failing:,} of the tests fail already and notice nothing")
    low = args.fail_under is not None and score.percent < args.fail_under
    if low:
        summary.append(f"the score is below --fail-under {args.fail_under:g}")
    shown = list(told.survivors(found, {"cwd": CWD, "home": HOME}))
    results = suppressed(args, Results("mutate", shown, dict(told.CHECKS), tuple(summary), passes_matter=False))
    if results is None or not write_results(args, results):
        return 2
    return 1 if low or has_expired(results) else 0
