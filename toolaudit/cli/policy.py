"""The options by which a verb is told its policy, and the policy they make."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from toolaudit.model import Mode, Policy
from toolaudit.model.versions import NEWEST, Version
from toolaudit.settings import SettingsError, load, locate
from toolaudit.settings.known import known_to
from toolaudit.structs import Struct

if TYPE_CHECKING:
    from pathlib import Path

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
        group.add_argument(f"--{scope}", metavar="FILE", type=_path, help=text)
    for behavior in ("allow", "ask", "deny"):
        group.add_argument(
            f"--{behavior}", metavar="RULE", action="append", default=[], help=f"one more {behavior} rule"
        )
    group.add_argument("--untrusted", action="store_true", help="the workspace's trust dialog was not accepted")


def _path(text: str) -> Path:
    from pathlib import Path  # with what it imports a tenth of a one-shot check

    return Path(text)


def add_version_option(parser: argparse.ArgumentParser) -> None:
    """`--client-version`, which gives `client_version`, a Version."""
    parser.add_argument(
        "--client-version",
        metavar="X.Y.Z",
        type=_version,
        default=NEWEST,
        help=f"decide as this version of the client; 2.1.240 and {NEWEST} were measured (default: {NEWEST})",
    )


def _version(text: str) -> Version:
    try:
        return Version.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def load_policy(args: argparse.Namespace, *, cwd: str, home: str) -> Policy | None:
    """The policy that the options make, or None after saying on stderr what is wrong with a file.

    Callers exit with code 3 on None: no decision is made on a policy that can't be read.
    """
    try:
        files = (
            {scope.value: path for scope, path in locate(_path(args.policy)).items()} if args.policy is not None else {}
        )
        policy = load(
            project=args.project or files.get("project"),
            user=args.user,
            local=args.local or files.get("local"),
            managed=args.managed,
            flag=args.settings,
            cli_allow=args.allow,
            cli_ask=args.ask,
            cli_deny=args.deny,
            home=home,
            cwd=cwd,
            trusted=not args.untrusted,
        )
        return known_to(policy, args.client_version) if getattr(args, "client_version", None) else policy
    except SettingsError as error:
        print(error, file=sys.stderr)
        return None


class ProjectPolicies(Struct):
    """The policy that the options make for any project. It can be sent to another process, which reads it anew."""

    args: argparse.Namespace
    otherwise: Policy
    """In force for a project where a file that was good at the start has gone bad since."""

    def __call__(self, root: str, home: str) -> Policy:
        return load_policy(self.args, cwd=root, home=home) or self.otherwise
