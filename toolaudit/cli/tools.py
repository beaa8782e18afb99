from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from toolaudit.cli.policy import MODES, add_policy_options, load_policy

EXAMPLES = """\
examples:
  toolaudit tools --policy .
  toolaudit tools --policy . --deny 'mcp__github' --mcp-tool mcp__github__get_issue
  toolaudit tools --deny Bash --json | jq '.tools[] | select(.in_pool | not)'

A rule without specifier in a deny list takes its tool out of the pool: the model never hears of it. Whether a tool only
reads, and whether it may run beside others, can depend on its input.

exit codes: 0 done, 2 wrong usage, 3 a policy that can't be read
"""

_MCP = re.compile(r"mcp__(.+?)__(.+)")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument(
        "--mcp-tool",
        metavar="NAME",
        action="append",
        default=[],
        type=_mcp_name,
        help="count in this tool of an MCP server, by its whole name: mcp__SERVER__TOOL",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_policy_options(parser)


def _mcp_name(text: str) -> str:
    if _MCP.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(f"expected a name such as mcp__github__get_issue, got {text!r}")
    return text


def run(args: argparse.Namespace) -> int:
    from toolaudit.model import Mode
    from toolaudit.reporting import tools as writer
    from toolaudit.settings import effective_mode
    from toolaudit.tools.listing import named_tool, rows

    policy = load_policy(args, cwd=str(Path.cwd()), home=str(Path.home()))
    if policy is None:
        return 3
    mode, why = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    every = rows(policy, mode, [named_tool(name) for name in args.mcp_tool])
    if args.json:
        writer.write_json(every, mode, why, sys.stdout)
    else:
        writer.write_table(every, mode, why, sys.stdout, title=args.policy or "the given settings")
    return 0
