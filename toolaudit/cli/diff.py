from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from toolaudit.cli.policy import MODES
from toolaudit.model import Mode

if TYPE_CHECKING:
    from toolaudit.analysis.diff import Comparison, Side

FORMATS = ("text", "json", "ndjson", "junit", "tap", "sarif", "github", "markdown")

EPILOG = """\
examples:
  toolaudit diff old/ new/
  toolaudit diff main .
  toolaudit diff HEAD~3:.claude/settings.json .claude/settings.json --no-new-access
  toolaudit diff main . --calls ~/.claude/projects/-srv-app

OLD and NEW are project directories, settings files, or revisions of the git repository around here. The first word is
the verdict: equivalent, stricter, looser or both. Then come the classes of calls that are decided differently, each
with calls to paste that both policies were asked about, and the rules that decided. For rules about commands, paths,
hosts and servers the answer is exact, one command, path or host at a time; what is not is named.

exit codes: 0 equivalent (with --no-new-access: nothing new is let through), 1 different, 2 wrong usage,
3 a policy that can't be read, 4 a fault of this tool
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("old", metavar="OLD", help="the policy before")
    parser.add_argument("new", metavar="NEW", help="the policy after")
    parser.add_argument("--mode", choices=MODES, help="compare in this mode (default: what each policy sets)")
    parser.add_argument(
        "--calls", metavar="PATH", action="append", default=[], help="recorded sessions: calls that flip"
    )
    parser.add_argument("--no-new-access", action="store_true", help="exit 1 only where something new is let through")
    parser.add_argument("--show", metavar="N", type=int, default=5, help="calls of each class (default: 5)")
    parser.add_argument("--home", default=str(Path.home()), help="what ~ means; nothing is read there")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.diff import compare
    from toolaudit.settings import SettingsError

    try:
        old, new = _side(args.old, args), _side(args.new, args)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 3
    comparison = compare(old, new)
    if args.calls:
        from toolaudit.cli.flips import add_flips

        add_flips(comparison, args.calls, old, new, args.mode)
    _write(comparison, args, sys.stdout)
    if comparison.faults:
        return 4
    return int(comparison.new_access if args.no_new_access else comparison.verdict != "equivalent")


def _side(name: str, args: argparse.Namespace) -> Side:
    from toolaudit.analysis.diff import Side
    from toolaudit.cli.revisions import named_policy
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.settings import effective_mode

    cwd = str(Path.cwd())
    policy = named_policy(name, cwd=cwd, home=args.home)
    mode, _ = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    return Side(policy, mode, UnknownWorkspace(cwd, args.home))


def _write(comparison: Comparison, args: argparse.Namespace, stream: TextIO) -> None:
    if args.format == "text":
        from toolaudit.reporting.differences import text

        text.write(comparison, stream, args.show)
    elif args.format == "json":
        from toolaudit.reporting.differences import json

        json.write(comparison, stream)
    else:
        from toolaudit.reporting.differences.results import results
        from toolaudit.reporting.results import writer

        writer(args.format)(results(comparison), stream)
