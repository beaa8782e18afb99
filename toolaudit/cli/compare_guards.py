from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolaudit.cli.policy import MODES, add_policy_options, add_version_option, load_policy

if TYPE_CHECKING:
    from toolaudit.conformance.cases import BadLine, Case
    from toolaudit.guards.compare import Decide, Row

EXAMPLES = """\
examples:
  toolaudit compare-guards cases.jsonl --guard 'nah=python -m nah.hook' --guard 'seatbelt=seatbelt hook' --policy .
  toolaudit compare-guards cases.jsonl --guard 'mine=.claude/hooks/guard.sh' --policy .claude/settings.json
  toolaudit compare-guards cases.jsonl --guard 'a=python guard.py' --json

A case is a line such as {"id": "1", "tool": "Bash", "input": {"command": "ls"}}. Each guard is a command that is asked
as a PreToolUse hook: the call as JSON on its standard input, its verdict as JSON or by exit code 2. The commands you
name are run, in a sandbox without network, where nothing is kept from one call to the next and nothing below /tmp is
seen; a guard that compiles itself at its first start needs one start of your own before. The cases' calls are not run.
With a policy, toolaudit's own decision is one more column.

exit codes: 0 all agree, 1 some calls differ or a case can't be read, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("cases", metavar="CASES.jsonl", help="the calls; - reads standard input")
    parser.add_argument("--guard", metavar="NAME=COMMAND", action="append", default=[], help="a guard; may be repeated")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=10.0, help="for each answer (default: 10)")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="guards that run at a time (default: 2)")
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: each case's, or default)")
    parser.add_argument(
        "--show", metavar="N", type=int, default=20, help="differing calls that are shown (default: 20)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a call")
    parser.add_argument(
        "--no-sandbox", action="store_true", help="run the guards with your own rights, for those that need the network"
    )
    add_version_option(parser)
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.guards import compare
    from toolaudit.guards.guard import Guard
    from toolaudit.reporting import guards as report
    from toolaudit.tools.effects.commands import Unconfined, find_runner

    try:
        guards = [Guard.parse(text, args.timeout) for text in args.guard]
    except ValueError as error:
        print(f"toolaudit compare-guards: --guard: {error}", file=sys.stderr)
        return 2
    told = args.policy is not None or any((args.allow, args.ask, args.deny, args.user, args.project, args.settings))
    if not guards or len(guards) + told < 2 or len({guard.name for guard in guards}) < len(guards):
        print("toolaudit compare-guards: name two guards, or one and a policy, each by its own name", file=sys.stderr)
        return 2
    decide = _decide(args) if told else None
    if told and decide is None:
        return 3
    runner = Unconfined() if args.no_sandbox else find_runner()
    names = ([compare.OURS] if decide is not None else []) + [guard.name for guard in guards]
    try:
        with tempfile.TemporaryDirectory(prefix="toolaudit-") as place:
            rows = compare.compare(_cases(args.cases), guards, runner, place, decide=decide, jobs=max(1, args.jobs))
            if args.json:
                return _print_json(rows)
            found = compare.tally(rows, names)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"toolaudit compare-guards: {args.cases}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2
    report.write(found, sys.stdout, show=args.show)
    return 1 if found.differing or found.bad else 0


def _cases(path: str) -> Iterator[Case | BadLine]:
    from toolaudit.conformance.cases import read_cases

    if path == "-":
        yield from read_cases(sys.stdin)
        return
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123
        yield from read_cases(lines)


def _print_json(rows: Iterator[Row | BadLine]) -> int:
    from toolaudit.guards.compare import Row

    differ = False
    for row in rows:
        if isinstance(row, Row):
            differ |= row.differs
            said = {name: {"verdict": one.word, "why": one.why} for name, one in row.verdicts.items()}
            value = {"id": row.case.id, "tool": row.case.tool, "differs": row.differs, "verdicts": said}
        else:
            differ = True
            value = {"id": row.id, "line": row.line, "error": row.message}
        print(json.dumps(value))
    return 1 if differ else 0


def _decide(args: argparse.Namespace) -> Decide | None:
    from toolaudit.conformance.cases import CWD, HOME
    from toolaudit.guards.compare import filled
    from toolaudit.model import Mode, ToolCall
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.pipeline import decide
    from toolaudit.settings import effective_mode

    policy = load_policy(args, cwd=CWD, home=HOME)
    if policy is None:
        return None

    def word(case: Case) -> str:
        asked = args.mode or case.mode
        mode, _ = effective_mode(policy, Mode.parse(asked) if asked else None)
        call = ToolCall(case.tool, filled(case.input))
        return str(decide(call, policy, mode, UnknownWorkspace(CWD, HOME), version=args.client_version).behavior)

    return word
