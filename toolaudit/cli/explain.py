from __future__ import annotations

import argparse
import sys

EPILOG = """\
examples:
  toolaudit explain            (the table of checks)
  toolaudit explain TA012

exit codes: 0 done, 2 no such check
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("check", metavar="ID", nargs="?", help="the number of a check, or its name")


def run(args: argparse.Namespace) -> int:
    from toolaudit.checks import checks

    if args.check is None:
        for check in checks():
            print(f"{check.id}  {check.severity:7}  {check.name:24}  {check.title}")
        return 0
    wanted = args.check.casefold()
    found = next((check for check in checks() if wanted in (check.id.casefold(), check.name)), None)
    if found is None:
        print(f"toolaudit explain: no such check: {args.check}; without an ID all are listed", file=sys.stderr)
        return 2
    print(f"{found.id} {found.name} ({found.severity})\n\n{found.title}\n\n{found.page}")
    return 0
