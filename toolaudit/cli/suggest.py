from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.policy import MODES, add_policy_options, load_policy
from toolaudit.model import Mode, Policy, Severity

if TYPE_CHECKING:
    from toolaudit.analysis.diff import Change
    from toolaudit.analysis.suggestion import Learner, Observed, Proposed
    from toolaudit.model import Rule

EPILOG = """\
examples:
  toolaudit suggest ~/.claude/projects/-srv-app --policy .
  toolaudit suggest sessions/ --out fragment.json && toolaudit lint fragment.json

Learned from calls that ran and were not refused, part by part, and proposed only where no refused call would run and
lint has no warning. Sessions held out tell how many prompts the rules save on work they have not seen. What the rules
let through beyond history is shown with calls to paste. Nothing is written to your settings: it is a fragment to read.

exit codes: 0 rules proposed, 1 nothing to propose, 2 wrong usage, 3 a policy that can't be read
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("paths", metavar="PATH", nargs="+", help="recorded sessions: files, folders, globs")
    parser.add_argument(
        "--hold-out", metavar="PERCENT", type=_percent, default=30, help="of the sessions (default: 30)"
    )
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the fragment there as well")
    parser.add_argument("--show", metavar="N", type=int, default=8, help="calls beyond history to show (default: 8)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_policy_options(parser)


def _percent(text: str) -> int:
    if not text.isdecimal() or int(text) > 90:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 90, got {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from toolaudit.analysis.suggestion import Learner
    from toolaudit.replay.machine import DEFAULT_ROOT, home_of
    from toolaudit.settings import effective_mode

    policy = load_policy(args, cwd=DEFAULT_ROOT, home=home_of(DEFAULT_ROOT))
    if policy is None:
        return 3
    observed = list(_observed(args.paths))
    held = {one.session for one in observed if zlib.crc32(one.session.encode()) % 100 < args.hold_out}
    # What was refused in any session is a refusal; only what ran is held out.
    learned = [one for one in observed if one.refused or one.session not in held]
    mode, _ = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    learner = Learner(_loader(args, policy), mode)
    proposed = learner.propose(learned, _acceptable)
    rules = tuple(one.text for one in proposed)
    fragment = {"permissions": {"allow": list(rules)}}
    if args.out is not None and rules:
        args.out.write_text(json.dumps(fragment, indent=2) + "\n", encoding="utf-8")
    unseen = [one for one in observed if one.session in held]
    told = _told(learner, proposed, learned, unseen, policy, mode)
    if args.json:
        print(json.dumps({"type": "suggestion", "schema": 1, "fragment": fragment, **told}, indent=2))
    else:
        _print(fragment, proposed, told, args.show)
    return 0 if rules else 1


def _observed(paths: Sequence[str]) -> Iterator[Observed]:
    from toolaudit.analysis.suggestion import Observed
    from toolaudit.replay.machine import directories, home_of, of_today
    from toolaudit.transcripts import RecordedCall
    from toolaudit.transcripts.reading import read

    for event in read(paths):
        if not isinstance(event, RecordedCall) or not event.counterpart:
            continue
        if event.outcome.ran or event.outcome.refused:
            root, cwd = directories(event)
            session = event.session or event.file
            yield Observed(of_today(event.call), session, root, cwd, home_of(root), event.outcome.refused)


def _loader(args: argparse.Namespace, policy: Policy) -> Callable[[str, str], Policy]:
    """The policy for each project; without rules it is the same for all."""

    def load(root: str, home: str) -> Policy:
        if not policy.rules and not policy.ignored:
            return policy
        return load_policy(args, cwd=root, home=home) or policy

    return load


def _acceptable(text: str) -> bool:
    """Whether lint has no warning about a rule by itself."""
    from toolaudit import checks
    from toolaudit.analysis.suggestion import with_rules
    from toolaudit.checks.audit import Audit

    audit = Audit(with_rules(Policy(), [text], "/work/project"))
    return all(finding.severity is Severity.NOTE for finding in checks.run(audit))


def _told(
    learner: Learner,
    proposed: Sequence[Proposed],
    learned: Sequence[Observed],
    unseen: Sequence[Observed],
    policy: Policy,
    mode: Mode,
) -> dict[str, object]:
    rules = tuple(one.text for one in proposed)
    known, new = learner.cover(learned, rules), learner.cover(unseen, rules)
    sessions = {one.session for one in unseen}
    return {
        "rules": [{"rule": one.text, "calls": one.calls, "sessions": one.sessions} for one in proposed],
        "learned_from": {"sessions": len({one.session for one in learned} - sessions), **_numbers(known)},
        "held_out": {"sessions": len(sessions), **_numbers(new)},
        "refused_calls_let_through": len(learner.freed([*learned, *unseen], rules)),
        "beyond_history": [_access(change) for change in _new_access(policy, rules, mode)],
        "never_used": [f"{rule} ({rule.source})" for rule in _unused(learner, learned, unseen, policy)],
    }


def _numbers(cover: object) -> dict[str, int]:
    from dataclasses import asdict

    from toolaudit.analysis.suggestion import Coverage

    assert isinstance(cover, Coverage)
    return asdict(cover)


def _new_access(policy: Policy, rules: Sequence[str], mode: Mode) -> list[Change]:
    from toolaudit.analysis.diff import Side, compare
    from toolaudit.analysis.suggestion import with_rules
    from toolaudit.model.workspace import UnknownWorkspace

    machine = UnknownWorkspace()
    new = with_rules(policy, rules, machine.cwd)
    return [
        change for change in compare(Side(policy, mode, machine), Side(new, mode, machine)).changes if change.looser
    ]


def _access(change: Change) -> dict[str, str]:
    return {"call": change.subject, "from": change.kind[0], "to": change.kind[1], "rule": str(change.new.rule or "")}


def _unused(
    learner: Learner, learned: Sequence[Observed], unseen: Sequence[Observed], policy: Policy
) -> Iterator[Rule]:
    """The rules there are that decided no call of history."""
    used = set()
    for one in (*learned, *unseen):
        decision = learner.decide(one)
        by = (decision.rule, *(outcome.rule for outcome in decision.subcommands))
        used |= {(rule.behavior, rule.text, rule.source) for rule in by if rule is not None}
    for rule in policy.rules:
        if (rule.behavior, rule.text, rule.source) not in used:
            yield rule


def _print(fragment: object, proposed: Sequence[Proposed], told: dict[str, object], shown: int) -> None:
    from toolaudit.checks.masking import masked
    from toolaudit.reporting.text import plain

    print(masked(json.dumps(fragment, indent=2)))
    err = sys.stderr
    for one in proposed:
        print(f"  {one.calls:6,} calls, {one.sessions:3} sessions  {plain(masked(one.text))}", file=err)
    for name, title in (("learned_from", "learned from"), ("held_out", "held out")):
        numbers = told[name]
        assert isinstance(numbers, dict)
        print(
            f"{title}: {numbers['sessions']} sessions; of {numbers['ran']:,} calls {numbers['before']:,} ran without a "
            f"prompt before and {numbers['after']:,} do now; of {numbers['ordinary']:,} ordinary ones "
            f"{numbers['ordinary_after']:,}",
            file=err,
        )
    print(f"refused calls that would run: {told['refused_calls_let_through']}", file=err)
    beyond, unused = told["beyond_history"], told["never_used"]
    assert isinstance(beyond, list)
    assert isinstance(unused, list)
    for one in beyond[:shown]:
        print(f"new access: {plain(masked(one['call']))}  ({one['from']} -> {one['to']})", file=err)
    if len(beyond) > shown:
        print(f"new access: and {len(beyond) - shown:,} more", file=err)
    for rule in unused[:shown]:
        print(f"never used: {plain(masked(rule))}", file=err)
    if len(unused) > shown:
        print(f"never used: and {len(unused) - shown:,} more", file=err)
    print("proof: write it to a file, then toolaudit lint FILE and toolaudit diff OLD NEW --no-new-access", file=err)
