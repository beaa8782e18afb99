from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.output import add_output_options, add_suppression_options, suppressed, write_results
from toolaudit.model import Mode, Scope

if TYPE_CHECKING:
    from toolaudit.checks.audit import Audit
    from toolaudit.model import Finding
    from toolaudit.reporting.results import Result

EPILOG = """\
examples:
  toolaudit lint .
  toolaudit lint ~/.claude/settings.json --scope user
  toolaudit lint . --user ~/.claude/settings.json --format sarif --out lint.sarif
  toolaudit lint . --fix            (shows what would change; --write changes it)
  toolaudit explain TA012

Each path is looked at by itself: a project directory with its two files, or one settings file. Files named by scope are
merged and looked at together. What a check means and what to do stands in its page: toolaudit explain TA0NN.

exit codes: 0 nothing at or above --fail-level, 1 findings, 2 wrong usage, 3 no settings there
"""

LEVELS = ("error", "warning", "note")
SCOPES = ("project", "local", "user", "managed")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("paths", metavar="PATH", nargs="*", type=Path, help="project directories and settings files")
    parser.add_argument("--scope", choices=SCOPES, help="what the files named by path are (default: by their name)")
    for scope in SCOPES:
        parser.add_argument(f"--{scope}", metavar="FILE", type=Path, help=f"{scope} settings, merged with the others")
    parser.add_argument("--only", metavar="ID", action="append", default=[], help="only this check; may be repeated")
    parser.add_argument("--skip", metavar="ID", action="append", default=[], help="without this check; may be repeated")
    parser.add_argument("--fail-level", choices=LEVELS, default="error", help="exit 1 from here on (default: error)")
    parser.add_argument("--show", choices=LEVELS, default="note", help="leave out what is below (default: note)")
    parser.add_argument("--machine", action="store_true", help="look at this machine too: files of hooks, directories")
    parser.add_argument("--fix", action="store_true", help="show fixes as a patch; none of them gives access")
    parser.add_argument("--write", action="store_true", help="with --fix: write them into the files")
    add_output_options(parser)
    add_suppression_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit import checks
    from toolaudit.settings import SettingsError

    unknown = {*args.only, *args.skip} - {check.id for check in checks.checks()}
    if unknown:
        print(f"toolaudit lint: no such check: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    try:
        audits = [_read(group, args) for group in _groups(args)]
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 3
    findings = [found for audit in audits for found in checks.run(audit, args.only, args.skip)]
    if args.fix:
        from toolaudit.cli.fix import offer

        return offer(findings, write=args.write)
    from toolaudit.reporting.findings import results

    shown = [found for found in findings if _reaches(found, args.show)]
    told = "" if len(shown) == len(findings) else f"{len(findings) - len(shown):,} below {args.show} not shown"
    found = suppressed(args, results(shown, (told,) if told else ()))
    if found is None or not write_results(args, found):
        return 2
    return 1 if any(_reaches(one, args.fail_level) for one in found.bad()) else 0


def _reaches(found: Finding | Result, level: str) -> bool:
    return LEVELS.index(found.severity) <= LEVELS.index(level)


def _groups(args: argparse.Namespace) -> list[dict[Scope, Path]]:
    """The files to look at together, by scope."""
    from toolaudit.settings import locate

    named = {Scope(scope): getattr(args, scope) for scope in SCOPES if getattr(args, scope) is not None}
    paths = args.paths or ([] if named else [Path()])
    if named and len(paths) <= 1:
        return [{**(locate(paths[0], _scope(paths[0], args)) if paths else {}), **named}]
    return [*([named] if named else []), *(locate(path, _scope(path, args)) for path in paths)]


def _scope(path: Path, args: argparse.Namespace) -> Scope:
    """What a file is: what was said, or what its name says."""
    if args.scope is not None:
        return Scope(args.scope)
    if path.name == "managed-settings.json":
        return Scope.MANAGED
    return Scope.LOCAL if path.name == "settings.local.json" else Scope.PROJECT


def _read(files: dict[Scope, Path], args: argparse.Namespace) -> Audit:
    from toolaudit.checks.reading import mode_bits, read_audit
    from toolaudit.model.workspace import RealWorkspace, UnknownWorkspace

    if not args.machine:
        return read_audit(files.items(), workspace=UnknownWorkspace(), mode=Mode.DEFAULT)
    machine = RealWorkspace(str(Path.cwd()), str(Path.home()))
    return read_audit(files.items(), workspace=machine, mode=Mode.DEFAULT, file_mode=mode_bits)
