from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolaudit.cli.policy import add_policy_options, load_policy

if TYPE_CHECKING:
    from toolaudit.model import Policy

EXAMPLES = """\
examples:
  toolaudit gen-tests --policy . --out policy/rules.toolaudit.yaml
  toolaudit gen-tests --user ~/.claude/settings.json --project .claude/settings.json

For each rule the plainest call that would be decided otherwise without it, as a test file. A rule that makes no
difference gets no test; the file says why. The tests hold the policy as it is: read them, and correct what it should
not be.

exit codes: 0 done, 2 wrong usage, 3 a policy that can't be read
"""

SCOPES = ("user", "project", "local", "managed")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("--out", metavar="FILE", help="write there, if it does not exist; default: standard output")
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.testing.load import CWD, HOME

    if not (args.policy or args.settings or any(getattr(args, scope) for scope in SCOPES)):
        print("toolaudit gen-tests: name a policy: --policy, or settings files by scope", file=sys.stderr)
        return 2
    policy = load_policy(args, cwd=CWD, home=HOME)
    if policy is None:
        return 3
    base = Path(args.out).parent if args.out else Path()
    text = "\n".join(_lines(policy, _named(args, base), trusted=not args.untrusted)) + "\n"
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        with Path(args.out).open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        print(f"toolaudit gen-tests: {args.out}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2
    return 0


def _named(args: argparse.Namespace, base: Path) -> Any:
    """The policy as a test file in `base` names it."""

    def relative(path: Path) -> str:
        return Path(os.path.relpath(path, base)).as_posix()

    files: dict[str, Any] = {scope: relative(path) for scope in SCOPES if (path := getattr(args, scope)) is not None}
    if args.settings is not None:
        files["flag"] = relative(args.settings)
    rules = {behavior: getattr(args, behavior) for behavior in ("allow", "ask", "deny") if getattr(args, behavior)}
    if args.policy is None:
        return {**files, **rules}
    if not files and not rules:
        return relative(Path(args.policy))
    from toolaudit.settings import locate

    located = {scope.value: relative(path) for scope, path in locate(Path(args.policy)).items()}
    return {**located, **files, **rules}


def _lines(policy: Policy, named: Any, *, trusted: bool) -> Iterator[str]:
    from toolaudit.analysis.generation import canonical_cases
    from toolaudit.model.workspace import DataWorkspace
    from toolaudit.reporting.mutation import missing_case
    from toolaudit.testing.load import CWD, HOME
    from toolaudit.testing.write import flow

    workspace = DataWorkspace.describe(CWD, HOME, git=True, trusted=trusted)
    yield f"policy: {flow(named)}"
    if not trusted:
        yield "defaults: {trusted: false}"
    yield "cases:"
    for one in canonical_cases(policy, workspace):
        if one.example is not None:
            yield missing_case(one.example, one.rule, {"cwd": CWD, "home": HOME})
        else:
            why = one.why or "no call was found that it makes a difference for"
            yield f"  # no test for {_comment(str(one.rule))}: {_comment(why)}"


def _comment(text: str) -> str:
    from toolaudit.reporting.text import plain

    return plain(text)
