from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.output import add_output_options, write_results
from toolaudit.cli.policy import MODES, add_policy_options, load_policy
from toolaudit.model import Behavior, Mode

if TYPE_CHECKING:
    from toolaudit.model import Rule
    from toolaudit.reporting.results import Result

EPILOG = """\
examples:
  toolaudit never never.txt --policy .
  toolaudit never never.txt --user ~/.claude/settings.json --format junit --out never.xml

FILE says what no policy may let through, a rule a line; # begins a comment:

  Bash(rm -rf / *)       # no allow rule may reach it
  Bash(git push --force *)
  Read(~/.ssh/**)        # nor any command that reads files

For each line the answer is that nothing reaches it, or a call that does. Allow rules are asked exactly; what runs
without a rule and programs that start others are asked by the ways that are known.

exit codes: 0 every line holds, 1 one does not, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", type=Path, help="the assertions, a rule a line")
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument("--home", default=str(Path.home()), help="what ~ means; nothing is read there")
    add_output_options(parser)
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.diff import Side
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.reporting.results import Check, Results, Status
    from toolaudit.settings import effective_mode

    cwd = str(Path.cwd())
    try:
        assertions = _read(args.file, cwd)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        print(f"toolaudit never: {args.file}: {error}", file=sys.stderr)
        return 2
    policy = load_policy(args, cwd=cwd, home=args.home)
    if policy is None:
        return 3
    mode, _ = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    side = Side(policy, mode, UnknownWorkspace(cwd, args.home))
    results = [_result(rule, side, args.file) for rule in assertions]
    check = Check(
        "never", "A call that no policy may let through.", "Narrow the rule that allows it, or deny the call."
    )
    whole = Results("never", results, {"never": check})
    if not write_results(args, whole):
        return 2
    return int(any(result.status is not Status.PASSED for result in results))


def _read(path: Path, cwd: str) -> list[Rule]:
    """The rules of the file; raises ValueError for a line that is no rule, and where there is none at all."""
    from toolaudit.model import Scope, Source
    from toolaudit.rules import grammar

    rules = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.partition(" #")[0].strip()
        if not text or text.startswith("#"):
            continue
        rule = grammar.parse(text, Behavior.DENY, Source(Scope.FLAG, str(path), number, 1), cwd)
        if (why := grammar.dead(rule)) is not None:
            raise ValueError(f"line {number}: {text} matches nothing: {why}")
        rules.append(rule)
    if not rules:
        raise ValueError("expected a rule a line, got none")
    return rules


def _result(rule: Rule, side: object, file: Path) -> Result:
    from toolaudit.analysis.diff import Side
    from toolaudit.analysis.reach import Reached, allowed
    from toolaudit.reporting.differences.text import decided
    from toolaudit.reporting.results import Place, Result, Status

    assert isinstance(side, Side)
    found = allowed(rule, side)
    place = Place(str(file), rule.source.line, 1)
    if isinstance(found, Reached):
        by = found.decision.rule
        through = f", through {found.through}" if found.through else ""
        return Result(
            "never",
            rule.text,
            Status.FAILED,
            message=f"{found.subject} is allowed{through}: {decided(found.decision)}",
            place=Place.of(by.source) if by is not None else place,
            group=str(file),
            subject=found.subject,
            related=((rule.text, place),),
        )
    status = Status.PASSED if found.proved else Status.ERROR
    return Result("never", rule.text, status, message=found.why, place=place, group=str(file))
