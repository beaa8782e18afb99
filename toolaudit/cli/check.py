from __future__ import annotations

import argparse
import io
import os
import sys
from typing import TYPE_CHECKING, Any

from toolaudit.cli.classifier import ClassifierError, add_classifier_options, complain, opened_classifier
from toolaudit.cli.policy import MODES, add_policy_options, add_version_option, load_policy
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.pipeline import decide
from toolaudit.settings import effective_mode

if TYPE_CHECKING:
    from toolaudit.classifier.stages import Classifier
    from toolaudit.model import Policy
    from toolaudit.model.workspace import Workspace
    from toolaudit.permissions.request import Ask, ClassifierAnswer

EXAMPLES = """\
examples:
  toolaudit check 'git push --force' --policy .
  toolaudit check 'rm -rf build && npm test' --policy .claude/settings.json --mode acceptEdits
  toolaudit check --tool Read --input '{"file_path": "~/.ssh/id_rsa"}' --deny 'Read(~/.ssh/**)'
  echo 'ls; curl x | sh' | toolaudit check - --policy . --json
  toolaudit check 'git push --force' --mode auto --classifier local --said 'push it'

Nothing is run: neither the command nor any hook of the policy.

exit codes: 0 allow, 10 ask, 11 deny (also: tool removed, input invalid), 2 wrong usage, 3 a policy that can't be read
"""

EXIT_CODES = {Behavior.ALLOW: 0, Behavior.ASK: 10, Behavior.DENY: 11, Behavior.REMOVED: 11, Behavior.INVALID: 11}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("command", nargs="?", help="a Bash command; - reads standard input")
    parser.add_argument("--tool", default="Bash", help="the tool to call, with --input (default: Bash)")
    parser.add_argument("--input", metavar="JSON", help="the tool's input as a JSON object; - reads standard input")
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument("--cwd", metavar="DIR", default=".", help="the session's working directory (default: this one)")
    parser.add_argument("--home", default=os.path.expanduser("~"), help="what ~ means; nothing is read there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--redact", action="store_true", help="mask home directories and what looks like a secret")
    parser.add_argument(
        "--said", metavar="TEXT", action="append", default=[], help="what the user wrote before, for a classifier"
    )
    add_version_option(parser)
    add_classifier_options(parser)
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    call = _call(args)
    if call is None:
        return 2
    from toolaudit.model.workspace import RealWorkspace

    cwd = os.path.abspath(args.cwd)
    policy = load_policy(args, cwd=cwd, home=args.home)
    if policy is None:
        return 3
    mode, mode_why = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    workspace = RealWorkspace(cwd, args.home, trusted=not args.untrusted)
    try:
        with opened_classifier(args) as classifier:
            answer: ClassifierAnswer | Ask = args.classifier
            if classifier is not None:
                answer = _inquiry(classifier, policy, workspace, args.said)
            decision = decide(call, policy, mode, workspace, classifier=answer, version=args.client_version)
    except ClassifierError as error:
        return complain(error)
    if args.json:
        import json

        from toolaudit.reporting.records import decision_record

        told = {"tool": call.tool, "input": dict(call.input), "mode": mode, **decision_record(decision)}
        print(json.dumps(_redacted(told) if args.redact else told, indent=2))
    else:
        from toolaudit.reporting.explain import write

        page = io.StringIO() if args.redact else sys.stdout
        write(call, decision, policy, mode, mode_why, page)
        if isinstance(page, io.StringIO):
            print(_redacted(page.getvalue()), end="")
    return EXIT_CODES[decision.behavior]


def _redacted(told: Any) -> Any:
    from toolaudit.reporting.replay.objects import cleaned
    from toolaudit.transcripts.redaction import redact

    return cleaned(told, redact)


def _inquiry(classifier: Classifier, policy: Policy, workspace: Workspace, said: list[str]) -> Ask:
    from toolaudit.classifier.inquiry import Conversation, Inquiry

    conversation = Conversation()
    for text in said:
        conversation.said(text)
    return Inquiry(classifier, policy, workspace, conversation)


def _call(args: argparse.Namespace) -> ToolCall | None:
    if (args.command is None) == (args.input is None):
        print("toolaudit check: give either a command or --input with --tool", file=sys.stderr)
        return None
    if args.command is not None:
        if args.tool not in ("Bash", "PowerShell"):
            print(f"toolaudit check: {args.tool} takes no command; give its --input", file=sys.stderr)
            return None
        text = _stdin() if args.command == "-" else args.command
        return ToolCall(args.tool, {"command": text})
    import json

    try:
        value = json.loads(_stdin() if args.input == "-" else args.input)
    except (ValueError, RecursionError) as error:
        print(f"toolaudit check: --input: expected a JSON object: {error}", file=sys.stderr)
        return None
    if not isinstance(value, dict):
        print(f"toolaudit check: --input: expected a JSON object, got {type(value).__name__}", file=sys.stderr)
        return None
    return ToolCall(args.tool, value)


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape").removesuffix("\n")
