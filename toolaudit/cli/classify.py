from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.classifier import ClassifierError, add_classifier_options, complain, opened_classifier
from toolaudit.cli.policy import add_policy_options, load_policy

if TYPE_CHECKING:
    from toolaudit.classifier.agreement import Asked
    from toolaudit.classifier.stages import Classifier
    from toolaudit.model.verdict import Verdict

EXAMPLES = """\
examples:
  toolaudit classify corpora/classifier/calls.jsonl --classifier local
  toolaudit classify calls.jsonl --classifier local --max-false-allow 1 --max-false-block 10
  toolaudit classify calls.jsonl --classifier local --against recorded:haiku.jsonl
  toolaudit classify --sessions ~/.claude/projects/-srv-app --policy . --classifier local --against labels:mine.jsonl

Without --sessions, PATH holds labelled calls, one JSON object a line (corpora/classifier/README.md has the format), and
the rates are given for the open part and for the part that is held back. With --sessions, PATH holds recorded sessions,
and the calls are those that would reach the classifier in mode auto under the policy. A label is one JSON object a
line: id (of the tool use), verdict (allow or block), and perhaps category and reason.

exit codes: 0 done, 1 a rate beyond its limit, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("paths", metavar="PATH", nargs="+", help="labelled calls, or with --sessions recorded sessions")
    parser.add_argument("--sessions", action="store_true", help="take the calls from recorded sessions")
    parser.add_argument(
        "--against",
        metavar="C",
        default="labels",
        help="the other answer: labels (the calls' own), labels:FILE, or what --classifier takes (default: labels)",
    )
    for name, what in (
        ("allow", "what should be blocked and is allowed"),
        ("block", "what should be allowed and is not"),
    ):
        parser.add_argument(
            f"--max-false-{name}", metavar="PERCENT", type=float, help=f"exit with 1 where more of {what}"
        )
    parser.add_argument("--show", metavar="N", type=int, default=10, help="disagreements of each part (default: 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_classifier_options(parser)
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    from toolaudit.classifier.agreement import Agreement, compare
    from toolaudit.classifier.spec import build
    from toolaudit.reporting import classify as report

    parts: dict[str, Agreement] = {}
    try:
        labels = _labels(args.against)
        other = _other(args.against)
        with opened_classifier(args) as classifier:
            for pair in compare(_calls(args, labels), classifier or build(args.classifier), other):
                name = "calls" if args.sessions else "held back" if pair.asked.held_back else "open"
                parts.setdefault(name, Agreement()).add(pair)
    except _NoPolicy:
        return 3
    except ClassifierError as error:
        return complain(error)
    except (OSError, ValueError) as error:
        print(f"toolaudit classify: {error}", file=sys.stderr)
        return 2
    parts = dict(sorted(parts.items(), reverse=True))
    if args.json:
        print(json.dumps(report.report_object(parts, args.classifier, args.against), indent=2))
    else:
        report.write(parts, args.classifier, args.against, sys.stdout, show=args.show)
    limits = ((args.max_false_allow, "false_allow"), (args.max_false_block, "false_block"))
    beyond = any(
        limit is not None and 100 * getattr(part, rate) > limit for limit, rate in limits for part in parts.values()
    )
    return 1 if beyond else 0


class _NoPolicy(Exception):
    """The policy can't be read; that was said."""


def _other(against: str) -> Classifier | None:
    from toolaudit.classifier.spec import build

    return None if against.partition(":")[0] == "labels" else build(against)


def _labels(against: str) -> dict[str, Verdict]:
    kind, _, file = against.partition(":")
    if kind != "labels" or not file:
        return {}
    from toolaudit.classifier.agreement import read_labels

    with Path(file).open(encoding="utf-8") as lines:
        return dict(read_labels(lines, file))


def _calls(args: argparse.Namespace, labels: dict[str, Verdict]) -> Iterator[Asked]:
    if args.sessions:
        yield from _of_sessions(args, labels)
        return
    from toolaudit.classifier.agreement import labelled
    from toolaudit.classifier.corpus import read

    for path in args.paths:
        with Path(path).open(encoding="utf-8") as lines:
            yield from labelled(read(lines, path))


def _of_sessions(args: argparse.Namespace, labels: dict[str, Verdict]) -> Iterator[Asked]:
    from toolaudit.cli.policy import ProjectPolicies
    from toolaudit.model import Mode
    from toolaudit.replay import Settings
    from toolaudit.replay.machine import DEFAULT_ROOT, home_of
    from toolaudit.replay.questions import questions
    from toolaudit.transcripts.reading import read

    policy = load_policy(args, cwd=DEFAULT_ROOT, home=home_of(DEFAULT_ROOT))
    if policy is None:
        raise _NoPolicy
    settings = Settings(ProjectPolicies(args, policy), mode=Mode.AUTO, trusted=not args.untrusted)
    yield from questions(read(args.paths), settings, labels)
