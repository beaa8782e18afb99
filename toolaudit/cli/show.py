from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolaudit.cli.policy import MODES
from toolaudit.model import Mode, Scope

EPILOG = """\
examples:
  toolaudit show .
  toolaudit show . --user ~/.claude/settings.json --json

The rules in force with their numbers and places, the rules that are ignored with the reason, hooks, and every other key
with the file that wins and those it overrules. A file that is not there is not an error; one that can't be read is.

exit codes: 0 done, 2 wrong usage, 3 a file that can't be read (the others are shown)
"""

SCOPES = ("project", "local", "user", "managed")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("path", metavar="PATH", nargs="?", type=Path, help="a project directory, or one settings file")
    for scope in SCOPES:
        parser.add_argument(f"--{scope}", metavar="FILE", type=Path, help=f"{scope} settings, merged with the others")
    parser.add_argument("--effective", action="store_true", help="merged; this is what it always does")
    parser.add_argument("--untrusted", action="store_true", help="the workspace's trust dialog was not accepted")
    parser.add_argument("--mode", choices=MODES, help="the mode asked for on the command line")
    parser.add_argument("--home", default=str(Path.home()), help="what ~ means; nothing is read there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis import effective
    from toolaudit.checks.reading import read_audit
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.reporting.effective import write, write_json
    from toolaudit.settings import SettingsError, effective_mode, locate

    files = {Scope(name): getattr(args, name) for name in SCOPES if getattr(args, name) is not None}
    try:
        if args.path is not None or not files:
            files = {**locate(args.path or Path()), **files}
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 3
    machine = UnknownWorkspace(str(Path.cwd()), args.home, trusted=not args.untrusted)
    audit = read_audit(files.items(), workspace=machine)
    mode, why = effective_mode(audit.policy, Mode.parse(args.mode) if args.mode else None)
    shown = list(effective.settings(audit.documents))
    (write_json if args.json else write)(audit.policy, mode, why, shown, audit.faults, sys.stdout)
    return 3 if audit.faults else 0
