from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolaudit.cli.policy import MODES, add_policy_options, load_policy
from toolaudit.model import Mode, Policy, Scope

EPILOG = """\
examples:
  toolaudit report ~/.claude/projects/-srv-app --policy . --html report.html
  toolaudit report sessions/ --policy .claude/settings.json --mode recorded --html report.html

One file for a browser: where calls are decided, what would be different, every rule with its hits and what lint says of
it, and the calls, to be filtered, each with its trace. It loads nothing and sends nothing; text of sessions is shown as
text, and what looks like a secret is masked.

exit codes: 0 done, 1 something named could not be read (the rest was), 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("paths", metavar="PATH", nargs="+", help="recorded sessions: files, folders, globs")
    parser.add_argument("--html", metavar="FILE", type=Path, required=True, help="write the report there")
    parser.add_argument("--title", default="What the policy does", help="its heading")
    parser.add_argument(
        "--mode", choices=(*MODES, "recorded"), help="decide in this mode (default: what the policy sets)"
    )
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit import checks
    from toolaudit.checks.reading import read_audit
    from toolaudit.replay import Record, Replay
    from toolaudit.replay.decider import Settings
    from toolaudit.replay.machine import DEFAULT_ROOT, home_of
    from toolaudit.reporting.html import write
    from toolaudit.reporting.html.calls import Calls
    from toolaudit.transcripts.reading import read

    policy = load_policy(args, cwd=DEFAULT_ROOT, home=home_of(DEFAULT_ROOT))
    if policy is None:
        return 3

    def load(root: str, home: str) -> Policy:
        return load_policy(args, cwd=root, home=home) or policy

    recorded = args.mode == "recorded"
    mode = Mode.parse(args.mode) if args.mode and not recorded else None
    settings = Settings(load, mode, recorded, trusted=not args.untrusted)
    replay = Replay(read(args.paths), settings, policy)
    calls = Calls()
    for event in replay:
        if isinstance(event, Record):
            calls.add(event)
    report = replay.report()
    findings = list(checks.run(read_audit(_files(args).items())))
    try:
        with args.html.open("w", encoding="utf-8") as stream:
            write(stream, title=args.title, report=report, policy=policy, findings=findings, calls=calls)
    except OSError as error:
        print(f"toolaudit report: {args.html}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2
    return 1 if report.input_failed else 0


def _files(args: argparse.Namespace) -> dict[Scope, Path]:
    """The settings files named, by scope."""
    from toolaudit.settings import locate

    files = dict(locate(Path(args.policy))) if args.policy is not None else {}
    named = {
        Scope.USER: args.user,
        Scope.PROJECT: args.project,
        Scope.LOCAL: args.local,
        Scope.MANAGED: args.managed,
        Scope.FLAG: args.settings,
    }
    return files | {scope: path for scope, path in named.items() if path is not None}
