from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.policy import MODES, add_policy_options, load_policy
from toolaudit.model import Behavior, Mode

if TYPE_CHECKING:
    from toolaudit.analysis.reach import Reached, Unreached
    from toolaudit.model import Policy, Rule

EPILOG = """\
examples:
  toolaudit find --policy . --rule 12                  (numbers as in toolaudit show)
  toolaudit find --policy . --rule 'Bash(git push *)' --decision ask
  toolaudit find --policy . --rule settings.json:14
  toolaudit find --policy . --decision deny --tool Read

A call that the rule decides, to paste and to test with; or why there is none, and whether that is proved.

exit codes: 0 found, 1 none found, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("--decision", choices=("allow", "ask", "deny"), help="what shall become of the call")
    parser.add_argument("--rule", metavar="N", help="the rule that shall decide: its number, its text, or FILE:LINE")
    parser.add_argument("--tool", help="without a rule: the tool to call")
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument("--home", default=str(Path.home()), help="what ~ means; nothing is read there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.diff import Side
    from toolaudit.analysis.reach import decided_so, deciding
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.settings import effective_mode

    if args.rule is None and args.decision is None:
        print("toolaudit find: give a --rule, a --decision, or both", file=sys.stderr)
        return 2
    cwd = str(Path.cwd())
    policy = load_policy(args, cwd=cwd, home=args.home)
    if policy is None:
        return 3
    mode, _ = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    side = Side(policy, mode, UnknownWorkspace(cwd, args.home))
    if args.rule is None:
        return _write(decided_so(Behavior(args.decision), side, args.tool), None, args)
    rules = _named(args.rule, policy)
    if args.decision is not None:
        rules = [rule for rule in rules if rule.behavior == args.decision]
    if len(rules) != 1:
        said = f" to {args.decision}" if args.decision else ""
        print(f"toolaudit find: {len(rules)} rules{said} are called {args.rule}; see toolaudit show", file=sys.stderr)
        return 2
    return _write(deciding(rules[0], side), rules[0], args)


def _named(name: str, policy: Policy) -> list[Rule]:
    rules = [*policy.rules, *(rule for rule, _ in policy.ignored)]
    if name.isdecimal():
        return rules[int(name) - 1 : int(name)] if int(name) else []
    file, colon, line = name.rpartition(":")
    if colon and line.isdecimal():
        return [rule for rule in rules if (rule.source.file or "").endswith(file) and rule.source.line == int(line)]
    return [rule for rule in rules if name in (rule.text, str(rule))]


def _write(found: Reached | Unreached, rule: Rule | None, args: argparse.Namespace) -> int:
    from toolaudit.analysis.reach import Reached
    from toolaudit.reporting.differences.text import decided
    from toolaudit.reporting.text import plain

    reached = isinstance(found, Reached)
    if args.json:
        told: dict[str, object] = {"found": reached, "rule": str(rule) if rule is not None else None}
        if isinstance(found, Reached):
            told |= {"tool": found.call.tool, "input": dict(found.call.input), "decision": found.decision.behavior}
        else:
            told |= {"proved": found.proved, "why": found.why, "tried": found.tried}
        print(json.dumps(told, indent=2))
    elif isinstance(found, Reached):
        print(f"{found.decision.behavior.upper()}  {plain(found.subject)}\n  by  {decided(found.decision)}")
    else:
        print(f"NONE  {'proved' if found.proved else 'not found'}: {plain(found.why)}")
    return int(not reached)
