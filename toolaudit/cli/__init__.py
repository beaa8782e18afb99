"""The command line: one file a verb, each with `configure(parser)` and `run(args) -> exit code`."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from types import MappingProxyType

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.cli.extras import MissingExtra

VERBS = MappingProxyType(
    {
        "check": "explain what becomes of one tool call",
        "decide": "decide many calls: a case a line in, a decision a line out",
        "replay": "run recorded sessions through a policy",
        "tools": "list the tools a model would see, and which rule takes the others away",
        "query": "ask the tables of a replay in SQL",
        "test": "run the tests of a policy",
        "coverage": "tell which rules tests and recorded sessions use",
        "mutate": "change a policy in small ways and tell which changes its tests notice",
        "gen-tests": "write a test for each rule of a policy",
        "schema": "print the JSON Schema of a test file",
        "conform": "compare decisions with recordings of the real client",
        "classify": "compare a classifier with labels, or with another one",
        "parse": "list the simple commands of shell texts, or say why they can't be read",
        "fuzz": "search for commands that get around a policy",
        "compare-guards": "ask other guards about the same calls, and show where they differ",
        "run": "play a script of calls live, in a copy of a workspace",
        "bench": "measure what decisions and replays cost, as ratios to floors",
        "lint": "say what is dead, dangerous or needless in settings, and where",
        "explain": "tell what a lint check means and what to do",
        "diff": "compare two policies: what is let through now, and what no longer",
        "never": "hold a policy against what it must never let through",
        "find": "find a call that a rule decides, or say why there is none",
        "show": "show the merged policy: what is in force, from where, and what is ignored",
        "suggest": "propose the smallest rules that cover what recorded sessions did",
        "report": "write a report of recorded sessions under a policy, for a browser",
        "completion": "print a shell completion script",
    }
)
"""Only the module of the verb in use is imported, so that each costs what it needs."""

EPILOG = """\
exit codes: 0 done (check: allow), 1 findings or damaged input, 2 wrong usage, 3 a policy that can't be read
'toolaudit VERB --help' explains a verb with examples
"""


def start() -> int:
    """The program: `main` in a process of its own."""
    code = main()
    # What is loaded stays until the process ends: without this, Python searches all of it for garbage on its way out.
    gc.freeze()
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code."""
    # Start-up makes some twenty thousand objects and no garbage: the usual 700 would have it searched thirty times.
    gc.set_threshold(50_000)
    arguments = list(sys.argv[1:] if argv is None else argv)
    args = build_parser([word for word in arguments if not word.startswith("-")][:1]).parse_args(arguments)
    try:
        return int(args.run(args))
    except BrokenPipeError:
        # The reader of a pipe went away, as `head` does: nothing is wrong, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except MissingExtra as error:
        print(f"toolaudit {args.verb}: {error}", file=sys.stderr)
        return 2


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Leaves descriptions as they are. It is told the width: argparse asks shutil, which brings three archivers."""

    def __init__(self, prog: str) -> None:
        try:
            columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
        except (ValueError, OSError):
            columns = 80
        super().__init__(prog, width=columns - 2)


def build_parser(verbs: Collection[str] = tuple(VERBS)) -> argparse.ArgumentParser:
    """The command line of `verbs`, or, where none of them is one, of all with nothing but their names."""
    parser = argparse.ArgumentParser(
        prog="toolaudit",
        description="Test and audit what a coding agent is allowed to do.",
        epilog=EPILOG,
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"toolaudit {__version__} (semantics measured against client {CLIENT_VERSION})",
    )
    subparsers = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in [verb for verb in verbs if verb in VERBS] or VERBS:
        summary = VERBS[verb]
        sub = subparsers.add_parser(
            verb,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=HelpFormatter,
        )
        if verb in verbs:
            module = import_module(f"toolaudit.cli.{verb.replace('-', '_')}")
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return parser
