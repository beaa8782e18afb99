"""The options by which a verb is told its policy, and the policy they make."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolaudit.model import Mode, Policy
from toolaudit.settings import SettingsError, load

MODES = ("default", "manual", *(mode.value for mode in Mode if mode not in (Mode.DEFAULT, Mode.BUBBLE)))


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """`--policy` for the simple case, a flag for each scope for the others, and the mode's neighbours."""
    group = parser.add_argument_group("policy", "scopes may be combined; the home directory is read only when named")
    group.add_argument(
        "--policy",
        metavar="DIR_OR_FILE",
        help="a project directory (its .claude/settings.json and settings.local.json) or one settings file",
    )
    for scope, text in (
        ("user", "user settings"),
        ("project", "project settings"),
        ("local", "local project settings"),
        ("managed", "managed settings"),
        ("settings", "settings given by flag"),
    ):
        group.add_argument(f"--{scope}", metavar="FILE", type=Path, help=text)
    for behavior in ("allow", "ask", "deny"):
        group.add_argument(
            f"--{behavior}", metavar="RULE", action="append", default=[], help=f"one more {behavior} rule"
        )
    group.add_argument("--untrusted", action="store_true", help="the workspace's trust dialog was not accepted")


def load_policy(args: argparse.Namespace, *, cwd: str, home: str) -> Policy | None:
    """The policy that the options make, or None after saying on stderr what is wrong with a file.

    Callers exit with code 3 on None: no decision is made on a policy that can't be read.
    """
    project, local = args.project, args.local
    if args.policy is not None:
        path = Path(args.policy)
        if path.is_dir():
            settings = path / ".claude" / "settings.json"
            personal = path / ".claude" / "settings.local.json"
            if not settings.exists() and not personal.exists():
                print(f"{settings}: expected a settings file, got: no such file", file=sys.stderr)
                return None
            project = project or (settings if settings.exists() else None)
            local = local or (personal if personal.exists() else None)
        else:
            project = project or path
    try:
        return load(
            project=project,
            user=args.user,
            local=local,
            managed=args.managed,
            flag=args.settings,
            cli_allow=args.allow,
            cli_ask=args.ask,
            cli_deny=args.deny,
            home=home,
            cwd=cwd,
            trusted=not args.untrusted,
        )
    except SettingsError as error:
        print(error, file=sys.stderr)
        return None
