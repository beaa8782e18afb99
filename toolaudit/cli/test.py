from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.output import add_output_options, add_suppression_options, suppressed, write_results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolaudit.analysis.coverage import Coverage
    from toolaudit.reporting.results import Result
    from toolaudit.testing.case import Suite

EXAMPLES = """\
examples:
  toolaudit test
  toolaudit test policy/ -k 'push and not force' --fail-fast
  toolaudit test --coverage --fail-under 90
  toolaudit test --coverage --calls ~/.claude/projects/-srv-app
  toolaudit test --format junit --out report.xml

A test file is called *.toolaudit.yaml:

  policy: .claude/settings.json     # relative to this file; or a project directory, or {user: ..., project: ...}
  cases:
    - command: git push --force origin main
      expect: deny
    - name: secrets stay closed
      tool: Read
      input: {file_path: "{cwd}/.env"}
      matrix: {mode: [default, plan]}
      expect: {decision: deny, rule: Read(.env)}

'toolaudit schema' prints all that such a file may say. With pytest installed, `pytest` runs the same files.

exit codes: 0 all passed, 1 a case failed or the coverage is too low, 2 wrong usage, 3 a file or case that can't be
tested, 5 no tests found
"""

COVERAGE_FILE = ".toolaudit-coverage.json"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("paths", metavar="PATH", nargs="*", default=["."], help="test files and folders (default: .)")
    parser.add_argument("-k", metavar="EXPRESSION", help="only cases whose name holds this; with and, or, not")
    parser.add_argument("-x", "--fail-fast", action="store_true", help="stop at the first case that does not pass")
    parser.add_argument("--only-failures", action="store_true", help="say nothing of what passed")
    group = parser.add_argument_group("coverage")
    group.add_argument(
        "--coverage",
        metavar="FILE",
        nargs="?",
        const=COVERAGE_FILE,
        help=f"tell which rules no test uses; write the uses there, also when tests fail (default: {COVERAGE_FILE})",
    )
    group.add_argument("--calls", metavar="TRANSCRIPTS", nargs="+", default=[], help="count recorded calls as uses too")
    group.add_argument("--fail-under", metavar="PERCENT", type=float, help="fail where fewer of the rules are used")
    add_output_options(parser)
    add_suppression_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.reporting import coverage as told
    from toolaudit.reporting.cases import CHECKS
    from toolaudit.reporting.results import Results, Status
    from toolaudit.testing.find import find
    from toolaudit.testing.load import load_suite
    from toolaudit.testing.select import selector

    try:
        wanted = selector(args.k) if args.k is not None else lambda name: True
        suites = [load_suite(path) for path in find(map(Path, args.paths))]
    except (ValueError, FileNotFoundError) as error:
        print(f"toolaudit test: {_said(error)}", file=sys.stderr)
        return 2
    coverage = _coverage(args)
    results = list(_results(suites, wanted, args.fail_fast, coverage))
    if not results:
        where = ", ".join(args.paths)
        what = "no case has such a name" if suites else f"no *.toolaudit.yaml in {where}"
        print(f"toolaudit test: no tests: {what}", file=sys.stderr)
        return 5
    checks = dict(CHECKS)
    summary: list[str] = []
    low = False
    if coverage is not None:
        if args.calls:
            _add_calls(coverage, suites, args.calls)
        if args.coverage is not None:
            told.save(coverage, Path(args.coverage))
        summary += told.lines(coverage)
        low = args.fail_under is not None and coverage.percent() < args.fail_under
        if low:
            summary.append(f"coverage is below --fail-under {args.fail_under:g}")
            results += told.untested(coverage)
            checks[told.CHECK.id] = told.CHECK
    shown = [one for one in results if not (args.only_failures and one.status is Status.PASSED)]
    found = suppressed(args, Results("test", shown, checks, tuple(summary), hidden=len(results) - len(shown)))
    if found is None or not write_results(args, found):
        return 2
    statuses = {one.status for one in found.results}
    if Status.ERROR in statuses:
        return 3
    return 1 if low or Status.FAILED in statuses else 0


def _coverage(args: argparse.Namespace) -> Coverage | None:
    if args.coverage is None and args.fail_under is None and not args.calls:
        return None
    from toolaudit.analysis.coverage import Coverage

    return Coverage()


def _results(
    suites: Iterable[Suite], wanted: Callable[[str], bool], fail_fast: bool, coverage: Coverage | None
) -> Iterator[Result]:
    import time

    from toolaudit.reporting.cases import broken_result, case_result, skipped_result
    from toolaudit.reporting.results import Status
    from toolaudit.testing.case import Broken
    from toolaudit.testing.run import run

    for suite in suites:
        for case in suite.cases:
            if isinstance(case, Broken):
                found = broken_result(case, suite.file)
            elif not wanted(case.name):
                continue
            elif case.skip is not None:
                found = skipped_result(case)
            else:
                start = time.perf_counter()
                done = run(case)
                found = case_result(done, time.perf_counter() - start)
                if coverage is not None:
                    coverage.expect(case.policy)
                    coverage.add(done.decision, done.mode)
            yield found
            if fail_fast and found.status in (Status.FAILED, Status.ERROR):
                return


def _add_calls(coverage: Coverage, suites: Iterable[Suite], paths: list[str]) -> None:
    """Replay the recorded calls under each policy that the tests are about."""
    from toolaudit.replay import Replay, Settings
    from toolaudit.transcripts.reading import read

    for subject in {suite.subject.name: suite.subject for suite in suites if suite.subject is not None}.values():
        replay = Replay(read(paths), Settings(subject.load, recorded_modes=True), subject.policy)
        for _ in replay:
            pass
        coverage.add_replay(replay.report())


def _said(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
