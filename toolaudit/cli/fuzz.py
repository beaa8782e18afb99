from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from toolaudit.cli.policy import MODES, add_policy_options, load_policy

if TYPE_CHECKING:
    from toolaudit.fuzz.oracle import Oracle
    from toolaudit.fuzz.soundness import Tally
    from toolaudit.fuzz.trial import Trial

EXAMPLES = 2_000
SOUNDNESS_EXAMPLES = 200_000

CWD, HOME = "/work/project", "/home/user"
"""Where the searched sessions are: a repository on a machine with nothing on it but what Linux has."""

EPILOG = """\
examples:
  toolaudit fuzz --policy .
  toolaudit fuzz --policy .claude/settings.json --mode acceptEdits --seed 7 --examples 10000 --out reports
  toolaudit fuzz --policy . --save findings.jsonl
  toolaudit fuzz --soundness --examples 200000 --seed 1 --out reports

Three questions are put to the policy. Evasion: can what a deny or ask rule forbids be run past it? Smuggling: can an
allow rule be made to run what no rule granted? Blind spots: what becomes of commands that can't be read? And the
resolver is held to its laws. What a command really starts is asked of bash, in a jail where nothing is executed but
bash; where that can't be had, the report says "not checked against bash". Nothing of the policy is run.

An error is a command that runs though it should not; a warning, one that a deny rule should stop and that only asks;
a note, one that is asked about for another reason than the ask rule, and would run in bypassPermissions.

exit codes: 0 no errors, 1 errors, 2 wrong usage, 3 a policy that can't be read, 130 interrupted before any error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed makes the same run (default: 1)"
    )
    parser.add_argument(
        "--examples",
        type=_count,
        metavar="N",
        help=f"how many generated commands to try (default: {EXAMPLES:,}; soundness: {SOUNDNESS_EXAMPLES:,})",
    )
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop the search after this time")
    parser.add_argument("--mode", choices=MODES, help="the permission mode (default: what the policy sets, or default)")
    parser.add_argument("--json", action="store_true", help="print the report on a policy as JSON")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the report there too, as text and as JSON")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="replay the rows of this file, and add what was found"
    )
    parser.add_argument(
        "--soundness", action="store_true", help="put the shell reader to the test against bash, instead of a policy"
    )
    add_policy_options(parser)


def run(args: argparse.Namespace) -> int:
    if args.soundness and args.json:
        print("toolaudit fuzz: --json is for the report on a policy, not with --soundness", file=sys.stderr)
        return 2
    return _soundness(args) if args.soundness else _search(args)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return int(text)


def _search(args: argparse.Namespace) -> int:
    from toolaudit.fuzz.campaign import Campaign
    from toolaudit.fuzz.trial import Trial
    from toolaudit.model import Mode
    from toolaudit.model.workspace import DataWorkspace
    from toolaudit.reporting.fuzz import search
    from toolaudit.reporting.progress import shown
    from toolaudit.settings import effective_mode

    policy = load_policy(args, cwd=CWD, home=HOME)
    if policy is None:
        return 3
    mode, _ = effective_mode(policy, Mode.parse(args.mode) if args.mode else None)
    workspace = DataWorkspace.describe(CWD, HOME, git=True, trusted=not args.untrusted)
    examples = args.examples or EXAMPLES
    interrupted = False
    tries = 0
    with _oracle() as (oracle, unchecked):
        campaign = Campaign(Trial(policy, mode, workspace, oracle), args.seed)
        if args.save is not None and args.save.exists() and not _replay(args, campaign.trial):
            return 2
        try:
            with shown("tries", campaign.steps(examples), sys.stderr) as advance:
                for _ in campaign.run(examples, args.time):
                    tries += 1
                    advance(1)
        except KeyboardInterrupt:
            interrupted = True
        discoveries = campaign.discoveries(attempts=0) if interrupted else campaign.discoveries()
        bash = oracle.bash_version if oracle else None
    title = args.policy or "the given settings"
    about = search.Circumstances(title, mode, args.seed, examples, tries, bash, unchecked, interrupted)
    (search.write_json if args.json else search.write)(campaign, discoveries, about, sys.stdout)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        for name, write in (("fuzz.txt", search.write), ("fuzz.json", search.write_json)):
            with (args.out / name).open("w", encoding="utf-8") as file:
                write(campaign, discoveries, about, file)
    if args.save is not None:
        from toolaudit.fuzz import regressions

        added = regressions.save(discoveries, args.save, Path(args.policy or "."), mode)
        print(f"{added} rows added to {args.save}", file=sys.stderr)
    if any(discovery.severity == "error" for discovery in discoveries):
        return 1
    return 130 if interrupted else 0


def _replay(args: argparse.Namespace, trial: Trial) -> bool:
    """Says how many of this policy's saved rows still hold; False where the file has something else in it."""
    from toolaudit.fuzz import regressions

    try:
        where = regressions.place(Path(args.policy or "."), args.save)
        rows = [row for row in regressions.read(args.save) if row.policy == where]
    except (ValueError, OSError) as error:
        print(f"toolaudit fuzz: {error}", file=sys.stderr)
        return False
    kept = sum(row.holds(trial) for row in rows)
    print(f"{len(rows)} saved rows for this policy: {kept} hold, {len(rows) - kept} do not", file=sys.stderr)
    return True


@contextlib.contextmanager
def _oracle() -> Iterator[tuple[Oracle | None, str]]:
    """The oracle, or None with the reason why there is none."""
    from toolaudit.fuzz.oracle import Oracle, OracleUnavailable

    try:
        oracle = Oracle()
    except OracleUnavailable as missing:
        yield None, f"{missing.what}; {missing.remedy}"
        return
    with oracle:
        yield oracle, ""


def _soundness(args: argparse.Namespace) -> int:
    from toolaudit.fuzz.oracle import Oracle, OracleUnavailable
    from toolaudit.fuzz.soundness import run
    from toolaudit.reporting.fuzz import soundness
    from toolaudit.reporting.progress import shown

    examples = args.examples or SOUNDNESS_EXAMPLES
    tallies: Mapping[str, Tally] = {}
    interrupted = False
    try:
        with Oracle() as oracle, shown("accepted commands", examples, sys.stderr) as advance:
            try:
                for step in run(oracle, args.seed, examples, seconds=args.time):
                    tallies = step.tallies
                    advance(step.accepted)
            except KeyboardInterrupt:
                interrupted = True
            bash = oracle.bash_version
    except OracleUnavailable as missing:
        print(f"toolaudit fuzz --soundness: {missing}", file=sys.stderr)
        return 2
    command = f"toolaudit fuzz --soundness --examples {examples} --seed {args.seed}"
    about = soundness.Circumstances(command, args.seed, bash, soundness.parser_version(), interrupted)
    soundness.write(tallies, about, sys.stdout)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        with (args.out / "soundness.md").open("w", encoding="utf-8") as file:
            soundness.write(tallies, about, file)
    if any(tally.holes for tally in tallies.values()):
        return 1
    return 130 if interrupted else 0
